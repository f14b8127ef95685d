import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { deriveKeys } from '../../nodes/PaymentPageTrigger/keys';
import { n8nEnvironment } from '../../scripts/localN8n/environment';
import { failureOf } from '../../scripts/localN8n/execution';
import { n8nExecutable, nodeExecutable } from '../../scripts/localN8n/installation';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { capture } from '../../scripts/shared/subprocess';
import { waitFor } from '../../scripts/shared/waitFor';
import { addPage, payAt, registeredUrl } from '../support/service';
import { useTestBed } from './support/bed';
import { mutatedEvents, sendRaw } from './support/mutatedEvents';
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

let saved: StoredCredential;
let events: TriggerWorkflow;
/** Executions so far. */
let started = 0;

beforeAll(async () => {
	await addPage(bed().sandbox, 'page');
	saved = await saveApiKey(bed(), bed().sandbox, 'Canary', { webhookSecret });
	events = await TriggerWorkflow.published(bed(), {}, withCredential(saved));
});

/** Waits for all executions that there should be; there must be no other one. */
async function expectStarted(): Promise<void> {
	const query = { filter: JSON.stringify({ workflowId: events.id }), limit: 1 };
	const count = async () => {
		type Page = { count: number };
		return (await bed().client.request<Page>('get', '/executions', undefined, query)).count;
	};
	await waitFor(async () => (await count()) >= started, { what: `${started} executions` });
	expect(await count()).toBe(started);
}

test('answers 1,000 mutated events with less than 500, and starts for those with a proof alone', async () => {
	const url = registeredUrl(bed().sandbox);
	const queue = fc.sample(mutatedEvents(url), { numRuns: 1_000, seed: 20_240_229 });
	const wrong: string[] = [];
	let rejected = 0;
	const sendAll = async () => {
		for (let event = queue.pop(); event; event = queue.pop()) {
			const answer = await sendRaw(url, event.bytes);
			const hasStarted = answer.includes('{"received":true}');
			// n8n answers other methods itself, and some of them so.
			const isOfN8n = answer.includes('This webhook is not registered for');
			const isSound = isOfN8n || /^HTTP\/1\.1 [234]/.test(answer);
			if (!isSound || (hasStarted && !event.isGenuine)) {
				wrong.push(`${event.bytes.toString('latin1').slice(0, 1_500)}\n=> ${answer.slice(0, 500)}`);
			}
			if (hasStarted) started++;
			if (answer.startsWith('HTTP/1.1 401')) rejected++;
		}
	};
	await Promise.all(Array.from({ length: 20 }, sendAll));
	expect(wrong).toEqual([]);
	// Both were really met, so that the above says something.
	expect(rejected).toBeGreaterThan(400);
	expect(started).toBeGreaterThan(20);
	await expectStarted();
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
		const { code, output } = await capture('grep', [
			...['--recursive', '--files-with-matches', '--text', '--fixed-strings'],
			...['--exclude-dir=node_modules', '--exclude-dir=.cache', bed().n8n.userFolder],
			...[text, ...encoded].map((form) => `--regexp=${form}`),
		]);
		// 1: there is none; 2: a file could not be read.
		expect(code).toBeLessThan(2);
		return output
			.trim()
			.split('\n')
			.map((file) => path.basename(file))
			.filter(Boolean);
	}

	/** Success, failure and forgery. */
	beforeAll(async () => {
		const { sandbox, client, credentials, n8n } = bed();
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
		await events.outputs(1, 'manual');
		for (const kind of ['unsigned', 'wrongSecret', 'secretPrefix', 'tokenCut'] as const) {
			await sandbox.forge(kind);
		}

		// A service that repeats in its own words what it was sent.
		const webhookUrl = 'https://www.shop.example/events';
		const register = { resource: 'webhook', operation: 'register', webhookUrl };
		const chosen = [...credentials, saved].map(
			({ type, id, name }) => [type, { id, name }] as const,
		);
		for (const [parameters, message] of [
			[create, `no ${privateKey}`],
			[register, `no ${apiKey} and no ${webhookSecret}`],
		] as const) {
			sandbox.configure({ faults: [{ endpoint: 'any', kind: 'wrongCode', message }] });
			const node = paymentPage(parameters, { credentials: Object.fromEntries(chosen) });
			const { id } = await client.createWorkflow(workflow('In vain', [manualTrigger(), node]));
			expect(failureOf(await client.run(id))).toContain('no ***');
		}
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
		async (_, secret) => expect(await filesWith(secret)).toEqual([]),
	);
});
