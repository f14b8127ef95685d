import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { deriveKeys } from '../../nodes/PaymentPageTrigger/keys';
import { forgeries, forgeryKinds } from '../../sandbox';
import { n8nEnvironment } from '../../scripts/localN8n/environment';
import { failureOf } from '../../scripts/localN8n/execution';
import { n8nExecutable, nodeExecutable } from '../../scripts/localN8n/installation';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { capture } from '../../scripts/shared/subprocess';
import { waitFor } from '../../scripts/shared/waitFor';
import { addPage, firstStatus, payAt, registeredUrl } from '../support/service';
import { useTestBed } from './support/bed';
import { type MutatedEvent, mutatedEvents, sendRaw } from './support/mutatedEvents';
import { saveApiKey, withCredential } from './support/otherServices';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';

/** What strangers send to an address of n8n, and what they would find where n8n keeps its work. */
const canaries = {
	privateKey: 'canary-private-key-5f2c91',
	apiKey: 'canary-api-key-a83e07',
	webhookSecret: 'canary-webhook-secret-1d64b9',
};
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
	const { client } = bed();
	const query = { filter: JSON.stringify({ workflowId: events.id }), limit: 1 };
	return (await client.request<{ count: number }>('get', '/executions', undefined, query)).count;
}

/** Waits for so many executions, and lets no other one begin. */
async function expectStarted(expected: number): Promise<void> {
	await waitFor(async () => (await countAll()) >= expected, { what: `${expected} executions` });
	expect(await countAll()).toBe(expected);
}

let started = 0;

test('answers 1,000 mutated events with 200, 401 or a 4xx, and starts for those with a proof alone', async () => {
	const url = registeredUrl(bed().sandbox);
	const mutated = fc.sample(mutatedEvents(url, webhookSecret), {
		numRuns: 1_000,
		seed: 20_240_229,
	});
	const wrong: string[] = [];
	const statuses = new Map<string, number>();

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
	await expectStarted(started);
});

test('rejects every forgery, also after n8n has read it, and logs the first as a warning', async () => {
	const { sandbox, n8n } = bed();
	expect(await payAt(sandbox, 'page')).toBe(200);
	const statuses: Array<[string, unknown]> = [];
	for (const kind of forgeryKinds) {
		statuses.push([kind, firstStatus(await sandbox.forge(kind, { keepToken: true }))]);
	}
	// The others are right signatures in an odd form.
	const expected = forgeryKinds.map((kind) => [kind, forgeries[kind].mustBeRejected ? 401 : 200]);
	expect(statuses).toEqual(expected);
	started += 1 + expected.filter(([, status]) => status === 200).length;
	await expectStarted(started);

	const [line = ''] = (await n8n.readLog()).match(/^\{.*rejected an event.*\}$/m) ?? [];
	const words =
		/^Payment Page Trigger ".*" in workflow "Payment events".*: rejected an event\. It has no valid proof/;
	const message = expect.stringMatching(words) as unknown;
	expect(JSON.parse(line)).toMatchObject({ level: 'warn', message });
});

test('starts no test, and by a test no workflow, for anything but a copy', async () => {
	const { sandbox } = bed();
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
	expect(await countAll()).toBe(started);
	// The test still listens, and gets its copy.
	sandbox.state.registration = production;
	await payAt(sandbox, 'page');
	expect(await events.outputs(1, 'manual')).toMatchObject([{ verified: true }]);
	await sandbox.deliveriesSettled();
});

describe('secrets', () => {
	/** The files in which n8n keeps something of a text, in Base64 too: databases, logs, settings. */
	async function filesWith(text: string): Promise<string[]> {
		const bytes = Buffer.from(text);
		// Base64 of a part looks different at each of three offsets.
		const encoded = [0, 1, 2].map((offset) => {
			const end = bytes.length - ((bytes.length - offset) % 3);
			return bytes.subarray(offset, end).toString('base64');
		});
		const forms = [text, ...encoded].map((form) => `--regexp=${form}`);
		const { userFolder } = bed().n8n;
		const options = ['--recursive', '--files-with-matches', '--text', '--fixed-strings'];
		const excluded = ['node_modules', '.cache'].map((name) => `--exclude-dir=${name}`);
		const { code, output } = await capture('grep', [...options, ...excluded, ...forms, userFolder]);
		// 1: there is none; 2: a file could not be read.
		expect(code).toBeLessThan(2);
		return output
			.split('\n')
			.filter(Boolean)
			.map((file) => path.basename(file))
			.sort();
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
		await events.unpublish();
		await events.publish();
		// From the weakest proof to the strongest, because nothing weaker counts afterwards.
		for (const mode of ['none', 'secretInHeader', 'hmac'] as const) {
			sandbox.configure({ signing: { mode } });
			expect(await payAt(sandbox, 'page')).toBe(200);
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

		const { userFolder } = n8n;
		const stored = JSON.stringify(await client.getWorkflow(events.id));
		await writeFile(path.join(userFolder, 'overRest.json'), stored);
		const exported = `--output=${path.join(userFolder, 'exported.json')}`;
		const environment = n8nEnvironment({ userFolder, port: 0, brokerPort: 0 });
		const args = [n8nExecutable(), 'export:workflow', '--all', exported];
		const { code, output } = await capture(nodeExecutable(), args, { environment });
		expect([code, output]).toEqual([0, expect.anything()]);
	});

	test('would be found', async () => {
		const sample = path.join(bed().n8n.userFolder, 'sample');
		for (const text of [`x${apiKey}y`, Buffer.from(`shop:${apiKey}`).toString('base64')]) {
			await writeFile(sample, text);
			expect(await filesWith(apiKey)).toEqual(['sample']);
		}
		await rm(sample);
		const files = ['exported.json', 'n8n.log', 'overRest.json'];
		expect(await filesWith('Payment events')).toEqual(expect.arrayContaining(files));
		expect((await filesWith('payment.completed')).join()).toMatch(/database\.sqlite/);
	});

	const { token, testKey } = deriveKeys(apiKey, webhookSecret);

	test.each(Object.entries({ ...canaries, token, testKey }))(
		'are in no log, database, journal, output or export: %s',
		async (_, secret) => {
			expect(await filesWith(secret)).toEqual([]);
		},
	);
});
