import { gzipSync } from 'node:zlib';
import { send, type SentRequest } from '../support/request';
import { registeredUrl } from '../support/service';
import { useSharedBed } from './support/bed';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { older, rowUnless } from './support/cannot';

/** What n8n's own readers of a request make of it, before and beside the trigger. */
const bed = useSharedBed();

let workflow: TriggerWorkflow;
let url: string;
/** How many events were accepted so far, so that the next output can be told from theirs. */
let accepted = 0;

beforeAll(async () => {
	workflow = await TriggerWorkflow.published(bed());
	url = registeredUrl(bed().sandbox);
});

afterEach(async () => {
	expect(await workflow.count()).toBe(accepted);
});

const received = '{"received":true}';
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

const multipart = [
	...['--edge', 'Content-Disposition: form-data; name="event"', '', 'paid'],
	...['--edge', 'Content-Disposition: form-data; name="name"', '', 'Zoë', '--edge--', ''],
].join('\r\n');

test.each<[string, SentRequest]>([
	['GET', { method: 'GET' }],
	['HEAD', { method: 'HEAD' }],
	['POST of no JSON', { headers: { ...json, 'Content-Length': '0' } }],
	['POST of no chunks', { headers: { ...json, 'Transfer-Encoding': 'chunked' } }],
])('answers a probe and starts nothing: %s', async (_, probe) => {
	const { status, text } = await send(url, probe);
	expect([status, text]).toEqual([200, probe.method === 'HEAD' ? '' : '{"ready":true}']);
});

test.each<[string, Record<string, string>, string | Buffer, unknown]>([
	[
		'whole numbers beyond 2^53',
		json,
		'{"id":1002003004005006007,"n":[-9007199254740993,7],"x":0.1}',
		{ id: '1002003004005006007', n: ['-9007199254740993', 7], x: 0.1 },
	],
	['a list', json, '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
	...rowUnless(older, 'n8n itself rejects JSON with a byte order mark', [
		'JSON with a byte order mark',
		json,
		'\ufeff{"a":"é"}',
		{ a: 'é' },
	]),
	['JSON under no type', {}, '{"a":1}', { a: 1 }],
	['compressed JSON', { ...json, 'Content-Encoding': 'gzip' }, gzipSync('{"a":1}'), { a: 1 }],
	[
		'compressed bytes of an unknown type',
		{ 'Content-Type': 'application/x-unknown', 'Content-Encoding': 'gzip' },
		gzipSync('paid: é'),
		'paid: é',
	],
	['a form', form, 'name=Zo%C3%AB&a=1&a=2', { name: 'Zoë', a: ['1', '2'] }],
	[
		'a form in windows-1255, which n8n does not know, as bytes',
		form,
		Buffer.from('name=\xf9\xec\xe5\xed&ref=inv-142', 'latin1'),
		{ name: '%F9%EC%E5%ED', ref: 'inv-142' },
	],
	[
		'a multipart form',
		{ 'Content-Type': 'multipart/form-data; boundary=edge' },
		multipart,
		{ event: 'paid', name: 'Zoë' },
	],
	[
		'text in Latin-1',
		{ 'Content-Type': 'text/plain; charset=latin1' },
		Buffer.from('paid: \xe9', 'latin1'),
		'paid: é',
	],
	[
		'XML',
		{ 'Content-Type': 'application/xml' },
		'<Event id="7"><Name>Zoë</Name></Event>',
		{ event: { $: { id: '7' }, name: 'Zoë' } },
	],
	['bytes', { 'Content-Type': 'image/png' }, Buffer.from([0xff, 0xd8, 0]), '/9gA'],
])('keeps the content of %s', async (_, headers, body, expected) => {
	const answer = await send(url, { headers, body });
	expect([answer.status, answer.text]).toEqual([200, received]);
	expect((await workflow.newestOutput(++accepted))?.['body']).toEqual(expected);
});

test('takes what comes with GET for an event: a body, and what stands in the query alone', async () => {
	const headers = { ...json, 'Content-Length': '7' };
	expect((await send(url, { method: 'GET', headers, body: '{"a":1}' })).text).toBe(received);
	expect(await workflow.newestOutput(++accepted)).toMatchObject({ body: { a: 1 } });
	expect((await send(`${url}&ref=inv-142`, { method: 'GET' })).text).toBe(received);
	const event = { body: '', query: { ref: 'inv-142' }, verifiedBy: 'url token' };
	expect(await workflow.newestOutput(++accepted)).toMatchObject(event);
});

// All but the first are answered by n8n itself, before the trigger sees them.
test.each<[string, Record<string, string>, string, number]>([
	['broken compression', { 'Content-Type': 'text/x', 'Content-Encoding': 'gzip' }, 'x', 400],
	['broken compression of JSON', { ...json, 'Content-Encoding': 'gzip' }, 'x', 500],
	['broken JSON', json, '{"a":', 422],
	...rowUnless(older, 'n8n hands on a broken multipart form as an event without a body', [
		'a multipart form without an edge',
		{ 'Content-Type': 'multipart/form-data' },
		'x',
		400,
	]),
])('starts nothing for %s', async (_, headers, body, status) => {
	expect((await send(url, { headers, body })).status).toBe(status);
});
