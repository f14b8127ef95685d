import type { IHookFunctions, INodeType, IWebhookFunctions } from 'n8n-workflow';

import { send } from '../../e2e/support/request';
import { ManualClock } from '../harness/trigger/clock';
import { outsideHeader } from '../harness/trigger/reach';
import type { TriggerWorkflow } from '../harness/trigger/triggerWorkflow';
import { useTrigger } from './useTrigger';

/**
 * The small n8n of these tests does what n8n 2.41.1 does (docs/n8n-facts.md), as far as
 * its compiled code says; each later test rests on it.
 */
const trigger = useTrigger();

/** A trigger with hooks that write down what they are told, and whether POST is answered then. */
function spy(calls: string[], more: Partial<INodeType> = {}, failures = 0): INodeType {
	let left = failures;
	const note = (method: string) =>
		async function (this: IHookFunctions): Promise<boolean> {
			const { active } = this.getWorkflow();
			// For a method that nobody waits for, n8n says which ones there are.
			const { text } = await send(this.getNodeWebhookUrl('default') ?? '', { method: 'PUT' });
			const told = [this.getMode(), this.getActivationMode(), active ? 'active' : 'draft'];
			calls.push([method, ...told, text.includes('POST') ? 'there' : 'gone'].join(' '));
			const staticData = this.getWorkflowStaticData('node');
			staticData[method] = Number(staticData[method] ?? 0) + 1;
			if (method === 'create' && left-- > 0) throw new Error('down');
			return false;
		};
	const hooks = {
		checkExists: note('checkExists'),
		create: note('create'),
		delete: note('delete'),
	};
	return {
		description: trigger.n8n.main.description,
		webhookMethods: { default: hooks },
		webhook: async () => ({ workflowData: [[{ json: {} }]] }),
		...more,
	};
}

async function ask(url: string, method = 'POST') {
	const { status, text } = await send(url, { method });
	return { status, ...(text && (JSON.parse(text) as object)) };
}

test('publishes, publishes anew and unpublishes as n8n does', async () => {
	const calls: string[] = [];
	trigger.n8n.main = spy(calls);
	const workflow = trigger.workflow();
	await workflow.publish();
	await workflow.publish();
	expect(calls.splice(0)).toEqual([
		'checkExists trigger activate active there',
		'create trigger activate active there',
	]);
	workflow.change({ parameters: { options: { acceptUnverified: true } } });
	await workflow.publish();
	await workflow.unpublish();
	expect(calls).toEqual([
		'delete internal update active gone',
		'checkExists trigger update active there',
		'create trigger update active there',
		'delete internal update active gone',
	]);
	expect(workflow.staticData).toEqual({ checkExists: 2, create: 2, delete: 2 });
});

test('calls delete after each try that failed, which takes the addresses of all webhooks', async () => {
	const calls: string[] = [];
	const { description } = trigger.n8n.main;
	const webhook = { httpMethod: 'POST', path: 'webhook', responseData: '{}' } as const;
	const webhooks = [
		{ ...webhook, name: 'setup', httpMethod: 'GET', responseMode: 'onReceived' } as const,
		{ ...webhook, name: 'default', responseMode: 'onReceived' } as const,
	];
	trigger.n8n.main = spy(calls, { description: { ...description, webhooks } }, 3);
	const workflow = trigger.workflow();
	await expect(workflow.publish({ tries: 2 })).rejects.toThrow('down');
	const failedTry = [
		'checkExists trigger activate active there',
		'create trigger activate active there',
		'delete internal update active there',
	];
	expect(calls.splice(0)).toEqual([...failedTry, ...failedTry]);
	expect(await ask(workflow.productionUrl)).toMatchObject({ status: 404 });
	expect(workflow.staticData).toEqual({ checkExists: 2, create: 2, delete: 2 });

	// A later try brings back the address of its own webhook, and not those of the ones before.
	await workflow.publish({ tries: 2 });
	expect(await ask(workflow.productionUrl, 'GET')).toMatchObject({ status: 404 });
	expect(await ask(workflow.productionUrl)).toMatchObject({ status: 200 });
});

test('listens with the static data of the test, which nothing else sees', async () => {
	const calls: string[] = [];
	trigger.n8n.main = spy(calls, {
		webhook: async function (this: IWebhookFunctions) {
			const { create, isShown = false } = this.getWorkflowStaticData('node');
			this.getWorkflowStaticData('node').isShown = true;
			const url = this.getNodeWebhookUrl('default');
			return { workflowData: [[{ json: { create, isShown, url } }]] };
		},
	});
	const workflow = trigger.workflow();
	await workflow.publish();
	calls.length = 0;
	await workflow.listen();
	await workflow.endListen();
	expect(calls.splice(0)).toEqual([
		'checkExists manual manual draft there',
		'create manual manual draft there',
		'delete internal update draft there',
	]);
	await workflow.listen();
	expect((await ask(workflow.testUrl)).status).toBe(200);
	const item = { create: 1, isShown: false, url: workflow.productionUrl };
	expect(workflow.outputs('manual')).toContainEqual(item);
	expect(workflow.staticData).not.toHaveProperty('isShown');
});

describe('answers', () => {
	let workflow: TriggerWorkflow;
	beforeEach(async () => {
		workflow = trigger.workflow();
		await workflow.publish();
	});

	test("404 for what is not there, in n8n's own words", async () => {
		const path = new URL(workflow.testUrl).pathname.replace('/webhook-test/', '');
		expect(await ask(workflow.testUrl)).toEqual({
			status: 404,
			code: 404,
			message: `The requested webhook "${path}" is not registered.`,
			hint: expect.stringMatching(/^Click the 'Execute workflow' button/),
		});
		expect(await ask(`${workflow.productionUrl}s`)).toEqual({
			status: 404,
			code: 404,
			message: `The requested webhook "POST ${path}s" is not registered.`,
			hint: expect.stringMatching(/^The workflow must be active/),
		});
		expect(await ask(workflow.productionUrl, 'PUT')).toEqual({
			status: 404,
			code: 404,
			message: expect.stringMatching(/^This webhook is not registered for PUT requests\. Did you/),
		});
	});

	test('422 for broken JSON, and 500 when the node throws or nothing can be stored', async () => {
		const broken = await trigger.post(workflow.productionUrl, '{');
		expect([broken.status, JSON.parse(broken.text)]).toMatchObject([422, { code: 422 }]);
		trigger.n8n.main = spy([]);
		trigger.n8n.beforeExecution = () => {
			throw new Error('full');
		};
		expect(await ask(workflow.productionUrl)).toMatchObject({ status: 500, code: 0 });
		expect(workflow.executions()).toEqual([]);
		trigger.n8n.main = spy([], { webhook: async () => Promise.reject(new Error('a bug')) });
		expect(await ask(workflow.productionUrl)).toMatchObject({ status: 500, code: 0 });
		expect(workflow.executions()).toMatchObject([{ error: { message: 'a bug' } }]);
	});
});

test('gives each process a trigger of its own, and keeps the database', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	const { main } = trigger.n8n;
	const { staticData } = workflow;
	trigger.n8n.restart({ receivers: 2 });
	const kinds = [main, trigger.n8n.main, trigger.n8n.nextReceiver(), trigger.n8n.nextReceiver()];
	expect(new Set(kinds.map(({ constructor }) => constructor)).size).toBe(4);
	expect(workflow.staticData).toEqual(staticData);
	expect(staticData).not.toEqual({});
});

test('the end of a long execution writes the static data as it was at its beginning', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	const { staticData } = workflow;
	const end = trigger.n8n.beginLongExecution(workflow.id);
	await workflow.unpublish();
	expect(workflow.staticData).not.toEqual(staticData);
	end();
	expect(workflow.staticData).toEqual(staticData);
});

test('n8n may be unable to reach itself, when others can', async () => {
	const { reach } = trigger.n8n;
	const workflow = trigger.workflow();
	trigger.n8n.main = spy([]);
	await workflow.publish();
	reach.requests.length = 0;
	reach.works = false;
	await expect(send(workflow.productionUrl, {})).rejects.toThrow('socket hang up');
	const headers = { [outsideHeader]: '1', 'x-other': '2' };
	expect(await send(workflow.productionUrl, { headers })).toMatchObject({ status: 200 });
	expect(reach.requests).toMatchObject([{ url: new URL(workflow.productionUrl).pathname }]);
});

test('a clock that is told to go wakes who waits', async () => {
	const clock = new ManualClock();
	const start = Date.now();
	const woken: string[] = [];
	void clock.sleep(1_000).then(() => woken.push('second'));
	void clock.sleep(60_000).then(() => woken.push('minute'));
	expect(clock.untilNext).toBe(1_000);
	clock.advance(2_000);
	await clock.sleep(0);
	expect([woken, Date.now() - start, clock.untilNext]).toEqual([['second'], 2_000, 58_000]);
	clock.stop();
	expect(Date.now()).not.toBe(start + 2_000);
});
