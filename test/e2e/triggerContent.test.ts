import { deflateSync, gzipSync } from 'node:zlib';
import { send, type SentRequest } from './support/request';
import { useSharedBed } from './support/sharedBed';
import { addPage, registeredUrl, TriggerWorkflow } from './support/triggerWorkflow';

// Its events are told from forgeries by the token, as are those that the tests make.
const bed = useSharedBed({ sandbox: { signing: { mode: 'none' } } });

jest.setTimeout(120_000);

let workflow: TriggerWorkflow;
let url: string;

beforeAll(async () => {
	await addPage(bed().sandbox, 'page');
	workflow = await TriggerWorkflow.published(bed());
	url = registeredUrl(bed().sandbox);
});

const json = { 'Content-Type': 'application/json' };

it.each<[string, SentRequest]>([
	['GET', { method: 'GET' }],
	['HEAD', { method: 'HEAD' }],
	['POST without anything', { headers: { 'Content-Length': '0' } }],
	['POST of no JSON', { headers: { ...json, 'Content-Length': '0' } }],
	['POST of no chunks', { headers: { ...json, 'Transfer-Encoding': 'chunked' } }],
])('answers a probe and starts nothing: %s', async (_, probe) => {
	const before = await workflow.count();
	const answer = await send(url, probe);
	expect(answer.status).toBe(200);
	expect(answer.text).toBe(probe.method === 'HEAD' ? '' : '{"ready":true}');
	expect(await workflow.count()).toBe(before);
});

/** How many events were accepted so far, so that the next output can be told from theirs. */
let accepted = 0;

async function bodyOf(event: SentRequest): Promise<unknown> {
	const answer = await send(url, event);
	expect(answer).toEqual({
		status: 200,
		contentType: 'application/json; charset=utf-8',
		text: '{"received":true}',
	});
	accepted++;
	return (await workflow.newestOutput(accepted))?.['body'];
}

const multipart = [
	'--edge',
	'Content-Disposition: form-data; name="event"',
	'',
	'paid',
	'--edge',
	'Content-Disposition: form-data; name="name"',
	'',
	'Zoë',
	'--edge--',
	'',
].join('\r\n');

function type(contentType: string, more: Record<string, string> = {}): Record<string, string> {
	return { 'Content-Type': contentType, ...more };
}

it.each<[string, SentRequest, unknown]>([
	['a list', { headers: json, body: '[{"a":1},{"a":2}]' }, [{ a: 1 }, { a: 2 }]],
	[
		'whole numbers beyond 2^53',
		{ headers: json, body: '{"id":1002003004005006007,"n":[-9007199254740993,7],"x":0.1}' },
		{ id: '1002003004005006007', n: ['-9007199254740993', 7], x: 0.1 },
	],
	[
		'JSON that comes with GET',
		{ method: 'GET', headers: { ...json, 'Content-Length': '7' }, body: '{"a":1}' },
		{ a: 1 },
	],
	['JSON with a byte order mark', { headers: json, body: '\ufeff{"a":"é"}' }, { a: 'é' }],
	['JSON under no type', { headers: {}, body: '{"a":1}' }, { a: 1 }],
	[
		'JSON under an unknown type',
		{ headers: type('application/vnd.x+json'), body: '{"a":1}' },
		{ a: 1 },
	],
	['JSON under text', { headers: type('text/plain'), body: '{"a":1}' }, { a: 1 }],
	[
		'compressed JSON',
		{ headers: { ...json, 'Content-Encoding': 'gzip' }, body: gzipSync('{"a":1}') },
		{ a: 1 },
	],
	[
		'deflated JSON',
		{ headers: { ...json, 'Content-Encoding': 'deflate' }, body: deflateSync('{"a":1}') },
		{ a: 1 },
	],
	[
		'compressed bytes of an unknown type',
		{
			headers: type('application/x-unknown', { 'Content-Encoding': 'gzip' }),
			body: gzipSync('paid: é'),
		},
		'paid: é',
	],
	[
		'a form',
		{
			headers: type('application/x-www-form-urlencoded'),
			body: 'event=paid&name=Zo%C3%AB&a=1&a=2',
		},
		{ event: 'paid', name: 'Zoë', a: ['1', '2'] },
	],
	[
		'a form in windows-1255, which n8n does not know, as bytes',
		{
			headers: type('application/x-www-form-urlencoded'),
			body: Buffer.from('name=\xf9\xec\xe5\xed&ref=inv-142', 'latin1'),
		},
		{ name: '%F9%EC%E5%ED', ref: 'inv-142' },
	],
	[
		'such a form as browsers send it',
		{ headers: type('application/x-www-form-urlencoded'), body: 'name=%F9%EC%E5%ED&ref=inv-142' },
		{ name: '%F9%EC%E5%ED', ref: 'inv-142' },
	],
	[
		'a multipart form',
		{ headers: type('multipart/form-data; boundary=edge'), body: multipart },
		{ event: 'paid', name: 'Zoë' },
	],
	['text', { headers: type('text/plain; charset=utf-8'), body: 'paid: é' }, 'paid: é'],
	['text with a byte order mark', { headers: type('text/plain'), body: '\ufeffpaid' }, 'paid'],
	[
		'text in Latin-1',
		{ headers: type('text/plain; charset=latin1'), body: Buffer.from('paid: \xe9', 'latin1') },
		'paid: é',
	],
	[
		'XML',
		{ headers: type('application/xml'), body: '<Event id="7"><Name>Zoë</Name></Event>' },
		{
			event: { $: { id: '7' }, name: 'Zoë' },
		},
	],
	[
		'bytes that are no text',
		{ headers: type('image/png'), body: Buffer.from([0xff, 0xd8, 0]) },
		'/9gA',
	],
	[
		'names that every object has',
		{ headers: json, body: '{"constructor":1,"toString":"x"}' },
		{ constructor: 1, toString: 'x' },
	],
])('keeps the content of %s', async (_, event, body) => {
	expect(await bodyOf(event)).toEqual(body);
});

it.each<[string, SentRequest, number]>([
	[
		'broken compression',
		{ headers: type('text/x', { 'Content-Encoding': 'gzip' }), body: 'x' },
		400,
	],
	// n8n itself answers the others, before the trigger sees them.
	[
		'broken compression of JSON',
		{ headers: { ...json, 'Content-Encoding': 'gzip' }, body: 'x' },
		500,
	],
	['broken JSON', { headers: json, body: '{"a":' }, 422],
	['a multipart form without an edge', { headers: type('multipart/form-data'), body: 'x' }, 400],
])('starts nothing for %s', async (_, event, status) => {
	const before = await workflow.count();
	expect((await send(url, event)).status).toBe(status);
	expect(await workflow.count()).toBe(before);
});

it.each(['GET', 'POST'])(
	'takes what stands in the query alone for an event: %s',
	async (method) => {
		const answer = await send(`${url}&event=paid&ref=inv-142`, { method });
		expect([answer.status, answer.text]).toEqual([200, '{"received":true}']);
		accepted++;
		expect(await workflow.newestOutput(accepted)).toMatchObject({
			body: '',
			query: { event: 'paid', ref: 'inv-142' },
			verifiedBy: 'url token',
		});
	},
);
