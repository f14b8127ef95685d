import { deflateSync, gzipSync } from 'node:zlib';
import { send, type SentRequest } from './support/request';
import { useSharedBed } from './support/sharedBed';
import { addPage, registeredUrl, TriggerWorkflow } from './support/triggerWorkflow';

// Its events are told from forgeries by the token, as are those that the tests make.
const bed = useSharedBed({ signing: { mode: 'none' } });

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
	[
		'GET with a body',
		{ method: 'GET', headers: { ...json, 'Content-Length': '7' }, body: '{"a":1}' },
	],
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
		401,
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

describe('repeated deliveries', () => {
	beforeAll(async () => {
		await workflow.setParameters({ options: { ignoreRepeatedDeliveries: true } });
		await workflow.publish();
		accepted = await workflow.count();
	});

	test('start nothing', async () => {
		const { sandbox } = bed();
		const { deliveries } = await sandbox.pay('page');
		const { tries } = await sandbox.resend(deliveries[0]?.id ?? '');
		expect(tries[0]).toMatchObject({
			status: 200,
			answer: JSON.stringify({ received: true, repeated: true }),
		});
		await sandbox.pay('page');
		accepted += 2;
		expect(await workflow.newestOutput(accepted)).toBeDefined();
	});

	test('start nothing also when they arrive at the same moment', async () => {
		const event = { headers: json, body: '{"event":"paid at the same moment"}' };
		const answers = await Promise.all(Array.from({ length: 8 }, () => send(url, event)));
		expect(answers.map(({ status, text }) => [status, text]).sort()).toEqual([
			...Array.from({ length: 7 }, () => [200, '{"received":true,"repeated":true}']),
			[200, '{"received":true}'],
		]);
		accepted++;
		expect(await workflow.newestOutput(accepted)).toBeDefined();
	});

	test('that could not be verified are refused, not remembered', async () => {
		const body = '{"event":"seen without a proof first"}';
		const withoutToken = url.replace(/\?.*/, '');
		expect((await send(withoutToken, { headers: json, body })).status).toBe(401);
		expect(await bodyOf({ headers: json, body })).toEqual(JSON.parse(body));
	});
});
