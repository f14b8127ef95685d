import path from 'node:path';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { deriveKeys } from '../../nodes/PaymentPageTrigger/keys';
import { forgeryKinds } from '../../sandbox';
import { n8nEnvironment } from '../../scripts/localN8n/environment';
import { failureOf } from '../../scripts/localN8n/execution';
import { n8nExecutable, nodeExecutable } from '../../scripts/localN8n/installation';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { capture } from '../../scripts/shared/subprocess';
import { waitFor } from '../../scripts/shared/waitFor';
import { addPage, firstStatus, payAt, registeredUrl } from '../support/service';
import { useTestBed } from './support/bed';
import { canaries, filesOfN8n, type Named, placesOf } from './support/canaries';
import { type MutatedEvent, mutatedEvents, sendRaw } from './support/mutatedEvents';
import { saveApiKey, withCredential } from './support/otherServices';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';

/** What strangers send to an address of n8n, and what they would find where n8n keeps its work. */
const { privateKey, apiKey, webhookSecret } = canaries;

const bed = useTestBed({
	sandbox: { privateKey, apiKey },
	environment: {
		// As n8n has it since version 2: several events at once, and a journal beside the database.
		DB_SQLITE_POOL_SIZE: '3',
		N8N_LOG_LEVEL: 'debug',
		N8N_LOG_FORMAT: 'json',
		// An isolate for each event would take minutes.
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	},
});

jest.setTimeout(300_000);

let apiKeyCredential: StoredCredential;
let events: TriggerWorkflow;

beforeAll(async () => {
	await addPage(bed().sandbox, 'page');
	apiKeyCredential = await saveApiKey(bed(), bed().sandbox, 'Canary', { webhookSecret });
	events = await TriggerWorkflow.published(bed(), {}, withCredential(apiKeyCredential));
});

const seed = 20_240_229;

async function countAll(): Promise<number> {
	const filter = JSON.stringify({ workflowId: events.id });
	const { client } = bed();
	const query = { filter, limit: 1 };
	return (await client.request<{ count: number }>('get', '/executions', undefined, query)).count;
}

test('answers 1,000 mutated events with 200, 401 or a 4xx, and starts for those with a proof alone', async () => {
	const url = registeredUrl(bed().sandbox);
	const mutated = fc.sample(mutatedEvents(url, webhookSecret), { numRuns: 1_000, seed });
	const wrong: string[] = [];
	const statuses = new Map<string, number>();
	let started = 0;

	async function sendNext(queue: MutatedEvent[]): Promise<void> {
		for (let event = queue.pop(); event; event = queue.pop()) {
			const { status, text } = await sendRaw(url, event.bytes);
			const hasStarted = text.includes('{"received":true}');
			if (hasStarted) started++;
			// n8n answers other methods itself, and some of them so.
			const isOfN8n = text.includes('This webhook is not registered for');
			const isSound = isOfN8n || (status !== undefined && status >= 200 && status < 500);
			if (!isSound || (hasStarted && !event.isGenuine)) {
				wrong.push(`${event.bytes.toString('latin1').slice(0, 1_500)}\n=> ${text.slice(0, 500)}`);
			}
			const kind = `${event.isGenuine ? 'genuine' : 'forged'} ${status}`;
			statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
		}
	}
	await Promise.all(Array.from({ length: 20 }, () => sendNext(mutated)));

	expect(wrong).toEqual([]);
	// Each kind of answer was really met, so that the above says something.
	expect(statuses.get('forged 401')).toBeGreaterThan(400);
	expect(statuses.get('genuine 200')).toBeGreaterThan(20);
	await waitFor(async () => (await countAll()) >= started, {
		what: 'the executions of genuine events to be there',
	});
	expect(await countAll()).toBe(started);
});

test('starts no test, and by a test no workflow, for anything but a copy', async () => {
	const { sandbox } = bed();
	const before = await countAll();
	await events.listen();
	const atTest = registeredUrl(sandbox).replace('/webhook/', '/webhook-test/');
	const production = sandbox.state.registration;
	sandbox.state.registration = production && { ...production, webhookUrl: atTest };
	const statuses = [await payAt(sandbox, 'page')];
	for (const kind of forgeryKinds) statuses.push(firstStatus(await sandbox.forge(kind)));
	expect(new Set(statuses)).toEqual(new Set([401]));
	for (const { bytes } of fc.sample(mutatedEvents(atTest, webhookSecret), { numRuns: 100, seed })) {
		const { status } = await sendRaw(atTest, bytes);
		expect(status === undefined || status >= 400).toBe(true);
	}
	expect(await countAll()).toBe(before);
	// The test still listens, and gets its copy.
	sandbox.state.registration = production;
	await payAt(sandbox, 'page');
	expect(await events.outputs(1, 'manual')).toMatchObject([{ verified: true }]);
	await sandbox.deliveriesSettled();
});

test('logged the forgeries as a warning, at most once a minute', async () => {
	const log = (await bed().n8n.readLog()).match(/^\{.*rejected an event.*\}$/gm) ?? [];
	const lines = log.map((line) => JSON.parse(line) as { metadata: { timestamp: string } });
	const words =
		/^Payment Page Trigger ".*" in workflow "Payment events".*: rejected an event\. It has no valid proof/;
	expect(lines[0]).toMatchObject({ level: 'warn', message: expect.stringMatching(words) });
	// The trigger counts from when it decides to log, the log from when it writes.
	const oneMinute = 59_000;
	const times = lines.map(({ metadata }) => Date.parse(metadata.timestamp));
	const gaps = times.slice(1).map((time, index) => time - (times[index] ?? NaN));
	expect(gaps.filter((gap) => gap < oneMinute)).toEqual([]);
});

describe('secrets', () => {
	let contents: Named[];

	async function exportWorkflows(): Promise<void> {
		const { userFolder } = bed().n8n;
		const file = path.join(userFolder, 'exported.json');
		const args = [n8nExecutable(), 'export:workflow', '--all', `--output=${file}`];
		const environment = n8nEnvironment({ userFolder, port: 0, brokerPort: 0 });
		const { code, output } = await capture(nodeExecutable(), args, { environment });
		if (code !== 0) throw new Error(output);
	}

	/** Runs a node against a service that repeats in its own words what it was sent. */
	async function failWithEcho(parameters: INodeParameters, message: string): Promise<void> {
		const { sandbox, client, credentials } = bed();
		sandbox.configure({ faults: [{ endpoint: 'any', kind: 'wrongCode', message }] });
		const chosen = [...credentials, apiKeyCredential].map(
			({ type, id, name }) => [type, { id, name }] as const,
		);
		const node = paymentPage(parameters, { credentials: Object.fromEntries(chosen) });
		const { id } = await client.createWorkflow(workflow('In vain', [manualTrigger(), node]));
		expect(failureOf(await client.run(id))).toContain('no ***');
	}

	/** Success, failure and forgery. */
	beforeAll(async () => {
		const { sandbox, client, n8n } = bed();
		const page = { operation: 'create', pageName: 'Page', paymentPageLinkReference: 'canary' };
		const create = { ...anyPage, ...page };
		await bed().run(workflow('Create', [manualTrigger(), paymentPage(create)]));
		// From the weakest proof to the strongest, because nothing weaker counts afterwards.
		for (const mode of ['none', 'secretInHeader', 'hmac'] as const) {
			sandbox.configure({ signing: { mode } });
			await sandbox.pay('page');
		}
		await events.listen();
		await sandbox.pay('page');
		await events.outputs(2, 'manual');
		for (const kind of ['unsigned', 'wrongSecret', 'secretPrefix', 'tokenCut'] as const) {
			await sandbox.forge(kind);
		}

		await failWithEcho(create, `no ${privateKey}`);
		const webhookUrl = 'https://www.shop.example/events';
		const register = { resource: 'webhook', operation: 'register', webhookUrl };
		await failWithEcho(register, `no ${apiKey} and no ${webhookSecret}`);
		await events.unpublish();
		expect((await events.publish()).status).toBe('failed');
		sandbox.configure({ faults: [] });
		await events.publish();

		const stored = JSON.stringify(await client.getWorkflow(events.id));
		await exportWorkflows();
		const files = await filesOfN8n(n8n.userFolder);
		const names = ['database.sqlite', 'database.sqlite-wal', 'n8n.log', 'exported.json'];
		const found = files.map(([file]) => path.basename(file));
		expect(found).toEqual(expect.arrayContaining(names));
		contents = [['workflow over REST', Buffer.from(stored)], ...files];
	});

	test('would be found', () => {
		const sample: Named[] = [
			['plain', Buffer.from(`x${apiKey}y`)],
			['Base64', Buffer.from(Buffer.from(`shop:${apiKey}`).toString('base64'))],
		];
		expect(placesOf(apiKey, sample)).toEqual(['plain', 'Base64']);
		expect(placesOf('payment.completed', contents)).not.toEqual([]);
	});

	const { token, testKey } = deriveKeys(apiKey, webhookSecret);

	test.each(Object.entries({ ...canaries, token, testKey }))(
		'are in no log, database, journal, output or export: %s',
		(_, secret) => {
			expect(placesOf(secret, contents)).toEqual([]);
		},
	);
});
