import { executionsOf } from '../../../scripts/queue/queueMode';
import { waitFor } from '../../../scripts/shared/waitFor';
import {
	deliveringTo,
	firstStatus,
	paidIds,
	payAt,
	paymentIds,
	registeredUrl,
} from '../../support/service';
import type { QueueBed } from '../support/bed';
import { deduplicated, worked } from '../support/deduplicated';
import { TriggerWorkflow } from '../support/triggerWorkflow';

/** Publishing, events and unpublishing, in every process. */
export function testEvents(bed: () => QueueBed): void {
	/** All processes at which an event can arrive. */
	const receivers = () => {
		const { main, processors } = bed().queue;
		return [...processors, main];
	};
	/** What a payment at each of them is answered. */
	const payEverywhere = async () => {
		const statuses: unknown[] = [];
		for (const process of receivers()) statuses.push(await payAt(bed().sandbox, 'page', process));
		return statuses;
	};
	const taken = [200, 200, 200];

	test('registers the address of the proxy, and takes events in every process while it is published', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		expect(registeredUrl(sandbox)).toMatch(`${queue.url}/webhook/`);
		expect(await payEverywhere()).toEqual(taken);
		const outputs = await workflow.outputs(3);
		expect(paymentIds(outputs)).toEqual(paidIds(sandbox));
		for (const output of outputs) expect(output).toMatchObject({ verified: true });
		for (const process of receivers()) {
			const forge = () => sandbox.forge('wrongSecret', { keepToken: true });
			expect(firstStatus(await deliveringTo(sandbox, process, forge))).toBe(401);
		}
		await workflow.unpublish();
		expect(await payEverywhere()).toEqual([404, 404, 404]);
		expect(await workflow.count()).toBe(3);
		await workflow.publish();
		expect(await payEverywhere()).toEqual(taken);
		// What was answered 404 comes again.
		await sandbox.deliveriesSettled();
		expect(paymentIds(await workflow.outputs(9))).toEqual(paidIds(sandbox));
		await workflow.unpublish();
	});

	test('gets events from the processors in turn, and tests from the main process', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		const path = new URL(registeredUrl(sandbox)).pathname;
		for (let count = 0; count < 4; count++) expect(await payAt(sandbox, 'page')).toBe(200);
		await fetch(`${queue.url}${path.replace('/webhook/', '/webhook-test/')}`, { method: 'POST' });
		const hostsOf = async (address: string) => {
			const lines = (await queue.proxy.readAccessLog()).split('\n');
			const found = lines.filter((line) => line.includes(`POST ${address}`));
			return found.map((line) => `http://${line.split(' ').at(-1) ?? ''}`);
		};
		const tests = await waitFor(
			async () => {
				const hosts = await hostsOf('/webhook-test/');
				return hosts.length > 0 && hosts;
			},
			{ what: 'the proxy to log the last request' },
		);
		expect(tests).toEqual([queue.main.url]);
		const urls = queue.processors.map(({ url }) => url);
		expect((await hostsOf(path)).sort()).toEqual([...urls, ...urls].sort());
		// The token of the address is in no log.
		expect(await queue.proxy.readAccessLog()).not.toContain('token=');
		await workflow.outputs(4);
		await workflow.unpublish();
	});

	test('runs each event once, on one worker or the other', async () => {
		const { sandbox, queue, client } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		const ownExecutions = async (): Promise<string[][]> => {
			const own = (await client.listExecutions(workflow.id)).map(({ id }) => id);
			const all = await Promise.all(queue.workers.map(executionsOf));
			return all.map((ids) => ids.filter((id) => own.includes(id)));
		};
		await waitFor(
			async () => {
				await payAt(sandbox, 'page');
				return (await ownExecutions()).every((ids) => ids.length > 0);
			},
			{ what: 'both workers to run an event', timeoutMilliseconds: 60_000 },
		);
		const paid = paidIds(sandbox);
		expect(paymentIds(await workflow.outputs(paid.length))).toEqual(paid);
		const ran = await waitFor(
			async () => {
				const ids = (await ownExecutions()).flat();
				return ids.length >= paid.length && ids;
			},
			{ what: 'the workers to tell of all executions' },
		);
		expect(ran).toHaveLength(new Set(ran).size);
		expect(await workflow.count()).toBe(paid.length);
		await workflow.unpublish();
	});

	test('with Remove Duplicates, works on an event once, wherever it is delivered again', async () => {
		const { sandbox } = bed();
		const workflow = await TriggerWorkflow.published(bed(), {}, {}, deduplicated());
		const { payment, deliveries } = await sandbox.pay('page');
		// Two at the same moment can both pass: docs/trigger.md says so.
		let executions = 1;
		expect(await worked(workflow, executions)).toEqual([payment.id]);
		for (const process of receivers()) {
			await deliveringTo(sandbox, process, () => sandbox.resend(deliveries[0]?.id ?? ''));
			expect(await worked(workflow, ++executions)).toEqual([payment.id]);
		}
		await workflow.unpublish();
	});
}
