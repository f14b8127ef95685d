import { gzipSync } from 'node:zlib';
import { send, type SentRequest } from '../support/request';
import { addPage, payAt, registeredUrl, registrations } from '../support/service';
import { useSharedBed } from './support/bed';
import { older, testUnless } from './support/needs';
import { TriggerWorkflow } from './support/triggerWorkflow';

/** What n8n's own readers make of a request, and what "Listen for test event" shows of it. */
const bed = useSharedBed();

jest.setTimeout(180_000);

let workflow: TriggerWorkflow;
let url: string;
/** How many events production has had so far, and how many of them were shown in a test. */
let produced = 0;
let shown = 0;

beforeAll(async () => {
	await addPage(bed().sandbox, 'page');
	workflow = await TriggerWorkflow.published(bed());
	url = registeredUrl(bed().sandbox);
});

// No test registers anything.
afterEach(async () => {
	expect(registrations(bed().sandbox)).toHaveLength(1);
	expect(await workflow.count()).toBe(produced);
	expect(await workflow.count('manual')).toBe(shown);
});

const typed = (type: string, more: Record<string, string> = {}) => ({
	'Content-Type': type,
	...more,
});
const json = typed('application/json');
const form = typed('application/x-www-form-urlencoded');
const gzip = { 'Content-Encoding': 'gzip' };
const latin1 = (text: string) => Buffer.from(text, 'latin1');

const [ready, received] = ['{"ready":true}', '{"received":true}'];

// n8n itself answers what is broken, but for bytes of an unknown type.
test.each<[string, SentRequest, status: number, text?: string]>([
	['GET', { method: 'GET' }, 200, ready],
	['HEAD', { method: 'HEAD' }, 200, ''],
	['POST of no JSON', { headers: { ...json, 'Content-Length': '0' } }, 200, ready],
	['POST of no chunks', { headers: { ...json, 'Transfer-Encoding': 'chunked' } }, 200, ready],
	['broken compression', { headers: typed('x/y', gzip), body: 'x' }, 400],
	['broken compression of JSON', { headers: { ...json, ...gzip }, body: 'x' }, 500],
	['broken JSON', { headers: json, body: '{"a":' }, 422],
])('starts nothing for %s', async (_, request, ...[status, text = expect.any(String)]) => {
	expect(await send(url, request)).toMatchObject({ status, text });
});

testUnless(older, 'n8n hands on a broken multipart form as an event without a body')(
	'starts nothing for a multipart form without an edge',
	async () => {
		const { status } = await send(url, { headers: typed('multipart/form-data'), body: 'x' });
		expect(status).toBe(400);
	},
);

async function keeps(request: SentRequest, body: unknown): Promise<void> {
	expect(await send(url, request)).toMatchObject({ status: 200, text: received });
	expect((await workflow.newestOutput(++produced))?.['body']).toEqual(body);
}

const part = ['--edge', 'Content-Disposition: form-data; name="name"', '', 'Zoë', '--edge--', ''];

// Beyond 2^53.
const large = '{"id":1002003004005006007,"n":[-9007199254740993,7]}';
const exact = { id: '1002003004005006007', n: ['-9007199254740993', 7] };

test.each<[string, SentRequest['headers'], SentRequest['body'], unknown]>([
	['large numbers', json, large, exact],
	['a list', json, '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
	['JSON under no type', {}, '{"a":1}', { a: 1 }],
	['compressed JSON', { ...json, ...gzip }, gzipSync('{"a":1}'), { a: 1 }],
	['compressed bytes', typed('x/y', gzip), gzipSync('é'), 'é'],
	// In windows-1255, which n8n does not know.
	['a form as bytes', form, latin1('name=\xf9\xec&ref=1'), { name: '%F9%EC', ref: '1' }],
	['text in Latin-1', typed('text/plain; charset=latin1'), latin1('paid: \xe9'), 'paid: é'],
	['XML', typed('application/xml'), '<A id="7">Zoë</A>', { a: { _: 'Zoë', $: { id: '7' } } }],
	[
		'a multipart form',
		typed('multipart/form-data; boundary=edge'),
		part.join('\r\n'),
		{ name: 'Zoë' },
	],
	['bytes', typed('image/png'), Buffer.from([0xff, 0xd8, 0]), '/9gA'],
])('keeps the content of %s', (_, headers, body, expected) => keeps({ headers, body }, expected));

test('keeps the body of a GET', () =>
	keeps({ method: 'GET', headers: { ...json, 'Content-Length': '7' }, body: '{"a":1}' }, { a: 1 }));

testUnless(older, 'n8n itself rejects JSON with a byte order mark')(
	'keeps the content of JSON with a byte order mark',
	() => keeps({ headers: json, body: '\ufeff{"a":"é"}' }, { a: 'é' }),
);

/** Pays, and gives what production made of it. */
async function pay() {
	expect(await payAt(bed().sandbox, 'page')).toBe(200);
	return workflow.newestOutput(++produced);
}

test('shows one event as production gets it, then again in the next test, and none after a cancel', async () => {
	for (const isCanceled of [false, true, false]) {
		await workflow.listen();
		// Nobody but n8n itself sends anything to the address of the test.
		const atTest = url.replace('/webhook/', '/webhook-test/');
		expect((await send(atTest, { body: '{"a":1}' })).status).toBe(401);
		if (isCanceled) await bed().client.request('delete', `/test-webhook/${workflow.id}`);
		const output = await pay();
		expect(output).toMatchObject({ verified: true });
		if (!isCanceled) expect(await workflow.newestOutput(++shown, 'manual')).toEqual(output);
		await pay();
	}
});
