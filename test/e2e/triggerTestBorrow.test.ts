import { release } from '../../scripts/localN8n/installation';
import { waitFor } from '../../scripts/shared/waitFor';
import { cut, Front } from './support/front';
import { useOtherServices, withCredential } from './support/otherServices';
import { ownerAndDraft } from './support/ownerAndDraft';
import { startTestBed, startTimeout, type TestBed } from './support/testBed';
import { addPage, paymentIds, registeredUrls, TriggerWorkflow } from './support/triggerWorkflow';

/** Editor and webhooks have hosts and names of their own, as they can in other people's networks. */
let bed: TestBed;
let editor: Front;
let webhooks: Front;
const another = useOtherServices(() => bed);

jest.setTimeout(120_000);

beforeAll(async () => {
	[editor, webhooks] = [await Front.start(), await Front.start()];
	bed = await startTestBed({
		environment: {
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
			N8N_EDITOR_BASE_URL: `http://localhost:${editor.port}`,
			WEBHOOK_URL: `http://127.0.0.1:${webhooks.port}/`,
			N8N_ENDPOINT_WEBHOOK: 'hooks/in',
			N8N_ENDPOINT_WEBHOOK_TEST: 'hooks/try',
		},
	});
	editor.target = webhooks.target = bed.n8n.url;
}, startTimeout);

afterAll(async () => {
	await bed.stop();
	await Promise.all([editor.stop(), webhooks.stop()]);
}, 60_000);

beforeEach(async () => {
	editor.instead = webhooks.instead = undefined;
	await bed.sandbox.reset();
	await addPage(bed.sandbox, 'page');
});

async function untilLogged(pattern: RegExp, from: number): Promise<string> {
	return waitFor(
		async () => {
			const log = (await bed.n8n.readLog()).slice(from);
			return pattern.test(log) && log;
		},
		{ what: `n8n to log ${pattern}` },
	);
}

const production = /^http:\/\/127\.0\.0\.1:\d+\/hooks\/in\/[\w-]+\/webhook\?token=\w{32}$/;
const testUrl = release.testsAtEditor
	? /^http:\/\/localhost:\d+\/hooks\/try\/[\w-]+\/webhook\?token=\w{32}$/
	: /^http:\/\/127\.0\.0\.1:\d+\/hooks\/try\/[\w-]+\/webhook\?token=\w{32}$/;

test('of a published workflow registers nothing, whatever its addresses are named', async () => {
	const { sandbox } = bed;
	const workflow = await TriggerWorkflow.published(bed);
	await workflow.listen();
	const { payment } = await sandbox.pay('page');
	expect(paymentIds(await workflow.outputs(1, 'manual'))).toEqual([payment.id]);
	expect(paymentIds(await workflow.outputs(1))).toEqual([payment.id]);
	expect(registeredUrls(sandbox)).toEqual([expect.stringMatching(production)]);
	await workflow.unpublish();
});

test('borrows the address, hands the event on to the workflow that had it, and gives it back', async () => {
	const { sandbox, owner, draft, url } = await ownerAndDraft(bed, another, 'Borrowing');
	await draft.listen();
	expect(registeredUrls(sandbox)).toEqual([url, expect.stringMatching(testUrl)]);
	const { payment, deliveries } = await sandbox.pay('page');
	expect(deliveries[0]?.tries[0]?.status).toBe(200);
	expect(paymentIds(await draft.outputs(1, 'manual'))).toEqual([payment.id]);
	expect(paymentIds(await owner.outputs(1))).toEqual([payment.id]);
	const next = await sandbox.pay('page');
	expect(paymentIds(await owner.outputs(2))).toContain(next.payment.id);
	expect(registeredUrls(sandbox)).toEqual([url, expect.stringMatching(testUrl), url]);
	await owner.unpublish();
});

test('gives the address to the fallback URL when nobody had it', async () => {
	const { sandbox } = bed;
	const fallbackUrl = 'https://www.shop.example/events';
	const draft = await TriggerWorkflow.save(bed, { options: { fallbackUrl } });
	await draft.listen();
	await draft.cancelListen();
	await waitFor(() => registeredUrls(sandbox).length > 1, { what: 'the address to be given away' });
	expect(registeredUrls(sandbox)).toEqual([expect.stringMatching(testUrl), fallbackUrl]);
});

test('warns when there is nobody to give the address to', async () => {
	const sandbox = await another.sandbox();
	await addPage(sandbox, 'page');
	const saved = await another.saveApiKey({ sandbox, name: 'Nobody' });
	const draft = await TriggerWorkflow.save(bed, {}, withCredential(saved));
	const before = (await bed.n8n.readLog()).length;
	await draft.listen();
	const { payment, deliveries } = await sandbox.pay('page');
	expect(deliveries[0]?.tries[0]?.status).toBe(200);
	expect(paymentIds(await draft.outputs(1, 'manual'))).toEqual([payment.id]);
	const log = await untilLogged(/not published, so nothing receives events now/, before);
	expect(log).not.toContain('could not');
	expect(registeredUrls(sandbox)).toEqual([expect.stringMatching(testUrl)]);
});

test('does not stop n8n when another test begins while the service is slow to answer', async () => {
	const [first, second] = [
		await ownerAndDraft(bed, another, 'Slow'),
		await ownerAndDraft(bed, another, 'Other'),
	];
	await first.draft.listen();
	const slow = { endpoint: 'register', kind: 'latency', milliseconds: 3_000 } as const;
	first.sandbox.configure({ faults: [slow] });
	await first.draft.cancelListen();
	await second.draft.listen();
	await second.draft.cancelListen();
	for (const { sandbox, owner, url } of [first, second]) {
		await waitFor(() => registeredUrls(sandbox).length > 2, { what: 'the end of a test' });
		expect(registeredUrls(sandbox)).toEqual([url, expect.stringMatching(testUrl), url]);
		await owner.unpublish();
	}
});

describe.each([
	['sends elsewhere', 302],
	['asks for a password', 401],
	['does not know it', 404],
])('when the host of the test address %s', (_, status) => {
	test('is refused in words and registers nothing', async () => {
		const { sandbox } = bed;
		const workflow = await TriggerWorkflow.published(bed);
		const front = release.testsAtEditor ? editor : webhooks;
		front.instead = {
			paths: /^\/(?:hooks\/try\/|login$)/,
			answer({ url }, response) {
				const isLogin = url === '/login';
				response.writeHead(isLogin ? 200 : status, { location: '/login' }).end('Sign in');
			},
		};
		await expect(workflow.listen()).rejects.toThrow(
			/published workflow cannot reach the test URL of n8n.*Look at its executions instead/,
		);
		await sandbox.pay('page');
		expect(await workflow.outputs(1)).toHaveLength(1);
		expect(registeredUrls(sandbox)).toHaveLength(1);
		await workflow.unpublish();
	});
});

test('asks for the event again when n8n cannot reach its public address to hand it on', async () => {
	const { sandbox, n8n } = bed;
	sandbox.configure({ retry: { maximumTries: 1 } });
	const workflow = await TriggerWorkflow.published(bed);
	const before = (await n8n.readLog()).length;
	webhooks.instead = { paths: /^\/hooks\/in\//, answer: cut };
	await workflow.listen();
	await untilLogged(/cannot reach its own public URL/, before);
	const { payment, deliveries } = await sandbox.pay('page');
	expect(deliveries[0]?.tries[0]?.status).toBe(503);
	expect(paymentIds(await workflow.outputs(1, 'manual'))).toEqual([payment.id]);
	const url = expect.stringMatching(production) as unknown;
	await waitFor(() => registeredUrls(sandbox).length > 2, { what: 'the address to be given back' });
	expect(registeredUrls(sandbox)).toEqual([url, expect.stringMatching(testUrl), url]);

	webhooks.instead = undefined;
	const repeated = await sandbox.resend(deliveries[0]?.id ?? '');
	expect(repeated.tries[0]?.status).toBe(200);
	expect(paymentIds(await workflow.outputs(1))).toEqual([payment.id]);
	await workflow.unpublish();
});
