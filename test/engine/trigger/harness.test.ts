import type { IHookFunctions } from 'n8n-workflow';

import { send } from '../../support/request';
import { useTrigger } from './useTrigger';

/**
 * The small n8n of these tests does what n8n 2.41.1 does (docs/n8n-facts.md), as far as
 * its compiled code says; each later test rests on it.
 */
const trigger = useTrigger();

/** A trigger with hooks that write down what they are told, and whether POST is answered then. */
function spy(failures = 0): string[] {
	const calls: string[] = [];
	const note = (method: string) =>
		async function (this: IHookFunctions): Promise<boolean> {
			const path = (this.getNodeWebhookUrl('default') ?? '').split('/').slice(-2).join('/');
			const isThere = trigger.n8n.methodsAt(path).includes('POST') ? 'there' : 'gone';
			calls.push([method, this.getMode(), this.getActivationMode(), isThere].join(' '));
			const staticData = this.getWorkflowStaticData('node');
			staticData[method] = Number(staticData[method] ?? 0) + 1;
			if (method === 'create' && failures-- > 0) throw new Error('down');
			return false;
		};
	const methods = { checkExists: note('checkExists'), create: note('create') };
	trigger.n8n.main = {
		description: trigger.n8n.main.description,
		webhookMethods: { default: { ...methods, delete: note('delete') } },
		webhook: async () => ({ workflowData: [[{ json: {} }]] }),
	};
	return calls;
}

test('publishes, publishes anew and unpublishes as n8n does', async () => {
	const calls = spy();
	const workflow = await trigger.published();
	await workflow.publish();
	workflow.change({ options: { acceptUnverified: true } });
	await workflow.publish();
	await workflow.unpublish();
	expect(calls).toEqual([
		...['checkExists trigger activate there', 'create trigger activate there'],
		'delete internal update gone',
		...['checkExists trigger update there', 'create trigger update there'],
		'delete internal update gone',
	]);
	expect(workflow.staticData).toEqual({ checkExists: 2, create: 2, delete: 2 });
});

test('calls delete after each try that failed, which takes the addresses of all webhooks', async () => {
	const calls = spy(3);
	const workflow = trigger.workflow();
	await expect(workflow.publish({ tries: 2 })).rejects.toThrow('down');
	const failedTry = ['checkExists', 'create'].map((method) => `${method} trigger activate there`);
	failedTry.push('delete internal update there');
	expect(calls).toEqual([...failedTry, ...failedTry]);
	const ask = async (method: string) => (await send(workflow.productionUrl, { method })).status;
	expect(await ask('POST')).toBe(404);
	// A later try brings back the address of its own webhook, and not those of the ones before.
	await workflow.publish({ tries: 2 });
	expect([await ask('GET'), await ask('POST')]).toEqual([404, 200]);
});
