import path from 'node:path';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { deriveKeys } from '../../nodes/PaymentPageTrigger/keys';
import { failureOf } from '../../scripts/localN8n/execution';
import { n8nEnvironment } from '../../scripts/localN8n/environment';
import { n8nExecutable, nodeExecutable } from '../../scripts/localN8n/installation';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { capture } from '../../scripts/shared/subprocess';
import { waitFor } from '../../scripts/shared/waitFor';
import { canaries, contentsOf, filesOfN8n, placesOf } from './support/canaries';
import { forgeryKinds } from '../../sandbox';
import { type MutatedEvent, mutatedEvents } from './support/mutatedEvents';
import { useOtherServices, withCredential } from './support/otherServices';
import { sendRaw } from './support/rawSocket';
import { useTestBed } from './support/testBed';
import { addPage, registeredUrl, TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';

const { privateKey, apiKey, webhookSecret } = canaries;

const bed = useTestBed({
	sandbox: { privateKey, apiKey },
	environment: {
		// As n8n has it since version 2: several events at once, and a journal beside the database.
		DB_SQLITE_POOL_SIZE: '3',
		N8N_LOG_LEVEL: 'debug',
		N8N_LOG_FORMAT: 'json',
		// An isolate for each of 1,000 events would take minutes.
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	},
});
const another = useOtherServices(bed);

let apiKeyCredential: StoredCredential;
let events: TriggerWorkflow;

beforeAll(async () => {
	const { sandbox } = bed();
	await addPage(sandbox, 'page');
	apiKeyCredential = await another.saveApiKey({ sandbox, name: 'Canary' }, { webhookSecret });
	events = await TriggerWorkflow.published(bed(), {}, withCredential(apiKeyCredential));
}, 60_000);

const seed = 20_240_229;
const atOnce = 20;

async function countEnded(): Promise<number> {
	const { count } = await bed().client.session.request<{ count: number }>(
		'get',
		'/executions',
		undefined,
		{ filter: JSON.stringify({ workflowId: events.id }), limit: 1 },
	);
	return count;
}

test('answers 1,000 mutated events with 200, 401 or a 4xx, and starts for those with a proof alone', async () => {
	const { sandbox, n8n } = bed();
	const genuine = { url: registeredUrl(sandbox), secret: webhookSecret };
	const mutated = fc.sample(mutatedEvents(genuine), { numRuns: 1_000, seed });
	const port = Number(new URL(n8n.url).port);
	const before = await countEnded();
	const wrong: string[] = [];
	const statuses = new Map<string, number>();
	let started = 0;

	async function sendNext(queue: MutatedEvent[]): Promise<void> {
		for (let event = queue.pop(); event; event = queue.pop()) {
			const { status, text } = await sendRaw(port, event.bytes);
			const hasStarted = text.includes('{"received":true}');
			if (hasStarted) started++;
			const isSound = status !== undefined && status >= 200 && status < 500;
			if (!isSound || (hasStarted && !event.isGenuine)) {
				wrong.push(`${event.bytes.toString('latin1').slice(0, 1_500)}\n=> ${text.slice(0, 500)}`);
			}
			const kind = `${event.isGenuine ? 'genuine' : 'forged'} ${status}`;
			statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
		}
	}
	await Promise.all(Array.from({ length: atOnce }, () => sendNext(mutated)));

	expect(wrong).toEqual([]);
	// Each kind of answer was really met, so that the above says something.
	expect(statuses.get('forged 401')).toBeGreaterThan(500);
	expect(statuses.get('genuine 200')).toBeGreaterThan(20);
	await waitFor(async () => (await countEnded()) >= before + started, {
		what: 'the executions of genuine events to end',
	});
	expect(await countEnded()).toBe(before + started);
}, 300_000);

test('starts no test, and by a test no workflow, for anything but a copy', async () => {
	const { sandbox, n8n } = bed();
	const genuine = { url: registeredUrl(sandbox), secret: webhookSecret };
	const { registration } = sandbox.state;
	if (!registration) throw new Error('Nothing is registered.');
	const before = await countEnded();
	await events.listen();
	const atTest = { ...genuine, url: genuine.url.replace('/webhook/', '/webhook-test/') };
	registration.webhookUrl = atTest.url;
	for (const kind of forgeryKinds) {
		expect((await sandbox.forge(kind)).tries[0]?.status).toBe(401);
	}
	expect((await sandbox.pay('page')).deliveries[0]?.tries[0]?.status).toBe(401);
	const port = Number(new URL(n8n.url).port);
	for (const { bytes } of fc.sample(mutatedEvents(atTest), { numRuns: 100, seed })) {
		const { status } = await sendRaw(port, bytes);
		expect(status === undefined || status >= 400).toBe(true);
	}
	expect(await countEnded()).toBe(before);
	// The test still listens, and gets its copy.
	registration.webhookUrl = genuine.url;
	await sandbox.pay('page');
	expect(await events.outputs(1, 'manual')).toMatchObject([{ verified: true }]);
	await sandbox.deliveriesSettled();
}, 120_000);

test('logged the forgeries as a warning, at most once a minute', async () => {
	const log = (await bed().n8n.readLog()).match(/^\{.*rejected an event.*\}$/gm) ?? [];
	const lines = log.map((line) => JSON.parse(line) as { metadata: { timestamp: string } });
	const words =
		/^Payment Page Trigger ".*" in workflow "Payment events".*: rejected an event\. It has no valid proof/;
	expect(lines[0]).toMatchObject({ level: 'warn', message: expect.stringMatching(words) });
	// The trigger counts from when it decides to log, the log from when it writes.
	const oneMinute = 59_000;
	const times = lines.map(({ metadata }) => Date.parse(metadata.timestamp));
	times.slice(1).forEach((time, index) => {
		expect(time - (times[index] ?? NaN)).toBeGreaterThanOrEqual(oneMinute);
	});
});

describe('secrets', () => {
	let contents: Array<readonly [string, Buffer]>;

	async function exportWorkflows(): Promise<string> {
		const { userFolder } = bed().n8n;
		const file = path.join(userFolder, 'exported.json');
		const args = [n8nExecutable(), 'export:workflow', '--all', `--output=${file}`];
		const environment = n8nEnvironment({ userFolder, port: 0, brokerPort: 0 });
		const { code, output } = await capture(nodeExecutable(), args, { environment });
		if (code !== 0) throw new Error(output);
		return file;
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
		const execution = await client.run(id);
		expect(execution.status).toBe('error');
		expect(failureOf(execution)).toContain('no ***');
	}

	/** Success, failure and forgery. */
	beforeAll(async () => {
		const { sandbox, client, n8n } = bed();
		const create = {
			operation: 'create',
			...anyPage,
			pageName: 'Page',
			paymentPageLinkReference: 'canary',
		};
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
		const register = { resource: 'webhook', operation: 'register' };
		const webhookUrl = 'https://www.shop.example/events';
		await failWithEcho({ ...register, webhookUrl }, `no ${apiKey} and no ${webhookSecret}`);
		await events.unpublish();
		expect((await events.publish()).status).toBe('failed');
		sandbox.configure({ faults: [] });
		await events.publish();

		const stored = JSON.stringify(await client.getWorkflow(events.id));
		const exported = await exportWorkflows();
		const files = await filesOfN8n(n8n.userFolder);
		const names = ['database.sqlite', 'database.sqlite-wal', 'n8n.log', path.basename(exported)];
		expect(files.map((file) => path.basename(file))).toEqual(expect.arrayContaining(names));
		contents = [['workflow over REST', Buffer.from(stored)], ...(await contentsOf(files))];
	}, 300_000);

	test('would be found', () => {
		const sample: Array<readonly [string, Buffer]> = [
			['plain', Buffer.from(`x${apiKey}y`)],
			['Base64', Buffer.from(Buffer.from(`shop:${apiKey}`).toString('base64'))],
		];
		expect(placesOf(apiKey, sample)).toEqual(['plain', 'Base64']);
		expect(placesOf('payment.completed', contents)).not.toEqual([]);
	});

	const { token, testKey } = deriveKeys(apiKey, webhookSecret);
	const derived = { token, testKey };

	test.each(Object.entries({ ...canaries, ...derived }))(
		'are in no log, database, journal, output or export: %s',
		(_, secret) => {
			expect(placesOf(secret, contents)).toEqual([]);
		},
	);
});
