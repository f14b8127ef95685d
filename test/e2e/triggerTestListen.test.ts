import { useOtherServices, withCredential } from './support/otherServices';
import { send, type SentRequest } from './support/request';
import { useTestBed } from './support/testBed';
import { addPage, paymentIds, registeredUrls, TriggerWorkflow } from './support/triggerWorkflow';

// An isolate for every step of 20 events takes a busy machine longer than the service would wait.
const bed = useTestBed({
	sandbox: { deliveryTimeoutMilliseconds: 60_000 },
	environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
});
const another = useOtherServices(bed);

jest.setTimeout(120_000);

/** All tests are of this published workflow; none of them may register anything. */
let workflow: TriggerWorkflow;
let url: string;
/** How many events production has had so far. */
let produced = 0;

beforeAll(async () => {
	await addPage(bed().sandbox, 'page');
	workflow = await TriggerWorkflow.published(bed());
	[url = ''] = registeredUrls(bed().sandbox);
}, 60_000);

afterEach(() => {
	expect(registeredUrls(bed().sandbox)).toEqual([url]);
});

/** Pays, and gives the payment's ID once production has had the event. */
async function pay(): Promise<string> {
	const { payment } = await bed().sandbox.pay('page');
	const output = await workflow.newestOutput(++produced);
	expect(output).toMatchObject({ body: { paymentId: payment.id }, verified: true });
	return payment.id;
}

let shown = 0;

async function newestShown() {
	return (await workflow.outputs(++shown, 'manual')).at(-1);
}

const multipart = [
	'--edge',
	'Content-Disposition: form-data; name="name"',
	'',
	'Zoë',
	'--edge--',
	'',
];

// Before any that is signed: after it, none with the token alone is accepted.
it.each<[string, SentRequest, unknown]>([
	[
		'a form',
		{
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			body: 'event=paid&name=Zo%C3%AB&a=1&a=2',
		},
		{ event: 'paid', name: 'Zoë', a: ['1', '2'] },
	],
	[
		'a multipart form',
		{
			headers: { 'Content-Type': 'multipart/form-data; boundary=edge' },
			body: multipart.join('\r\n'),
		},
		{ name: 'Zoë' },
	],
])('shows %s as it came', async (_, event, body) => {
	await workflow.listen();
	expect((await send(url, event)).status).toBe(200);
	const type = { 'content-type': event.headers?.['Content-Type'] };
	const output = { body, headers: type, query: {}, verifiedBy: 'url token' };
	expect(await workflow.newestOutput(++produced)).toMatchObject(output);
	expect(await newestShown()).toMatchObject(output);
});

test('shows one event, which production gets, too', async () => {
	await workflow.listen();
	await pay();
	const [output, production] = [await newestShown(), await workflow.newestOutput(produced)];
	expect(output).toEqual(production);
	await pay();
	await pay();
	expect(await workflow.count('manual')).toBe(shown);
});

test('shows one of 20 events that arrive at once, and production gets all', async () => {
	await workflow.listen();
	const paid = await Promise.all(Array.from({ length: 20 }, () => bed().sandbox.pay('page')));
	const ids = paid.map(({ payment }) => payment.id).sort();
	produced += 20;
	const outputs = await workflow.outputs(produced);
	expect(paymentIds(outputs.slice(-20))).toEqual(ids);
	expect(ids).toEqual(expect.arrayContaining(paymentIds([(await newestShown()) ?? {}])));
	await pay();
	expect(await workflow.count('manual')).toBe(shown);
});

test('shows nothing after a cancel, and again in the next test', async () => {
	await workflow.listen();
	await workflow.cancelListen();
	await pay();
	expect(await workflow.count('manual')).toBe(shown);
	await workflow.listen();
	const id = await pay();
	expect(await newestShown()).toMatchObject({ body: { paymentId: id } });
});

test('rejects a test with another secret in words, and production goes on', async () => {
	const { sandbox } = bed();
	const webhookSecret = 'the secret of the draft';
	const draft = await another.saveApiKey({ sandbox, name: 'Draft' }, { webhookSecret });
	await workflow.setParameters({}, withCredential(draft));
	await expect(workflow.listen()).rejects.toThrow(
		/This test would see nothing: .*Select its credential/,
	);
	await pay();
	expect(await workflow.count('manual')).toBe(shown);
	await workflow.setParameters({});
});

test('loses nothing when n8n is killed while a test listens', async () => {
	await workflow.listen();
	await bed().n8n.kill();
	await bed().n8n.restart();
	await pay();
	await pay();
	expect(await workflow.count('manual')).toBe(shown);
}, 180_000);

test('rejects a test of a workflow that is not published, in words, also after a restart', async () => {
	const draft = await TriggerWorkflow.save(bed());
	for (const restart of [false, true]) {
		if (restart) await bed().n8n.restart();
		await expect(draft.listen()).rejects.toThrow(
			/Publish this workflow first; the trigger alone is enough\. Then test again\./,
		);
		await pay();
	}
	await workflow.listen();
	await pay();
	expect(await newestShown()).toMatchObject({ verified: true });
	expect(await draft.count('manual')).toBe(0);
}, 180_000);
