import { send, type SentRequest } from '../support/request';
import { addPage, paidIds, paymentIds, payAt, registeredUrls } from '../support/service';
import { useTestBed } from './support/bed';
import { TriggerWorkflow } from './support/triggerWorkflow';

/** "Listen for test event" of n8n itself. None of these tests may register anything. */
const bed = useTestBed({ environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } });

jest.setTimeout(180_000);

let workflow: TriggerWorkflow;
let url: string;
/** How many events production has had so far, and how many of them were shown. */
let produced = 0;
let shown = 0;

beforeAll(async () => {
	await addPage(bed().sandbox, 'page');
	workflow = await TriggerWorkflow.published(bed());
	[url = ''] = registeredUrls(bed().sandbox);
});

afterEach(async () => {
	expect(registeredUrls(bed().sandbox)).toEqual([url]);
	expect(await workflow.count('manual')).toBe(shown);
});

/** Pays, and gives what production made of it. */
async function pay() {
	expect(await payAt(bed().sandbox, 'page')).toBe(200);
	return workflow.newestOutput(++produced);
}

const part = ['--edge', 'Content-Disposition: form-data; name="name"', '', 'Zoë', '--edge--', ''];

// Before any that is signed: after it, none with the token alone is accepted.
test.each<[string, SentRequest, unknown]>([
	[
		'a form',
		{
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			body: 'name=Zo%C3%AB&a=1&a=2',
		},
		{ name: 'Zoë', a: ['1', '2'] },
	],
	[
		'a multipart form',
		{ headers: { 'Content-Type': 'multipart/form-data; boundary=edge' }, body: part.join('\r\n') },
		{ name: 'Zoë' },
	],
])('shows %s as it came', async (_, event, body) => {
	await workflow.listen();
	expect((await send(url, event)).status).toBe(200);
	const type = { 'content-type': event.headers?.['Content-Type'] };
	const output = { body, headers: type, query: {}, verifiedBy: 'url token' };
	expect(await workflow.newestOutput(++produced)).toMatchObject(output);
	expect(await workflow.newestOutput(++shown, 'manual')).toMatchObject(output);
});

test('shows one event as production gets it, then again in the next test, and none after a cancel', async () => {
	for (const isCanceled of [false, true, false]) {
		await workflow.listen();
		if (isCanceled) await workflow.cancelListen();
		const output = await pay();
		expect(output).toMatchObject({ verified: true });
		if (!isCanceled) expect(await workflow.newestOutput(++shown, 'manual')).toEqual(output);
		await pay();
	}
});

test('shows one of 20 events that arrive at once, and production gets all', async () => {
	const { sandbox } = bed();
	const before = new Set(paidIds(sandbox));
	await workflow.listen();
	await Promise.all(Array.from({ length: 20 }, () => payAt(sandbox, 'page')));
	const ids = paidIds(sandbox).filter((id) => !before.has(id));
	produced += 20;
	expect(paymentIds((await workflow.outputs(produced)).slice(-20))).toEqual(ids);
	const output = await workflow.newestOutput(++shown, 'manual');
	expect(ids).toEqual(expect.arrayContaining(paymentIds([output ?? {}])));
	await pay();
});

test('loses nothing when n8n is killed while a test listens', async () => {
	await workflow.listen();
	await bed().n8n.kill();
	await bed().n8n.restart();
	await pay();
	await pay();
});

test('rejects a test of a workflow that is not published, in words', async () => {
	const draft = await TriggerWorkflow.save(bed());
	await expect(draft.listen()).rejects.toThrow(
		/Publish this workflow first; the trigger alone is enough\. Then test again\./,
	);
	await pay();
	await workflow.listen();
	await pay();
	expect(await workflow.newestOutput(++shown, 'manual')).toMatchObject({ verified: true });
	expect(await draft.count('manual')).toBe(0);
});
