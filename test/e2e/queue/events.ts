import { forgeries, forgeryKinds } from '../../../sandbox';
import { executionsOf } from '../../../scripts/queue/queueMode';
import { waitFor } from '../../../scripts/shared/waitFor';
import { DeduplicatedWorkflow } from '../support/deduplicatedWorkflow';
import { deliveringTo, payAt, type QueueBed } from '../support/queueBed';
import { addPage, paymentIds, registeredUrl, TriggerWorkflow } from '../support/triggerWorkflow';

/** Publishing, events and unpublishing, in every process. */
export function testEvents(bed: () => QueueBed): void {
	/** All processes at which an event can arrive. */
	const receivers = () => {
		const { main, processors } = bed().queue;
		return [...processors, main];
	};
	const idsOfPayments = () => bed().sandbox.state.payments.map(({ id }) => id);

	beforeEach(async () => {
		await bed().sandbox.reset();
		await addPage(bed().sandbox, 'page');
	});

	test('registers the address of the proxy, and takes events in every process', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		expect(registeredUrl(sandbox)).toMatch(`${queue.url}/webhook/`);
		for (const process of receivers()) expect(await payAt(sandbox, 'page', process)).toBe(200);
		const outputs = await workflow.outputs(3);
		expect(paymentIds(outputs)).toEqual(idsOfPayments().toSorted());
		for (const output of outputs) expect(output).toMatchObject({ verified: true });
		await workflow.unpublish();
	});

	test('gets events from the processors in turn, and tests from the main process', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		const path = new URL(registeredUrl(sandbox)).pathname;
		for (let count = 0; count < 4; count++) expect(await payAt(sandbox, 'page')).toBe(200);
		await fetch(`${queue.url}${path.replace('/webhook/', '/webhook-test/')}`, { method: 'POST' });
		const takenBy = async (address: string) => {
			const lines = (await queue.proxy.readAccessLog()).split('\n');
			return lines.filter((line) => line.includes(`POST ${address}`));
		};
		const tests = await waitFor(
			async () => {
				const lines = await takenBy('/webhook-test/');
				return lines.length > 0 && lines;
			},
			{ what: 'the proxy to log the last request' },
		);
		const events = await takenBy(path);
		const shares = queue.processors.map(
			({ url }) => events.filter((line) => line.endsWith(` ${new URL(url).host}`)).length,
		);
		expect(shares).toEqual([2, 2]);
		expect(tests).toEqual([expect.stringMatching(` ${new URL(queue.main.url).host}$`)]);
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
		const payments = idsOfPayments();
		expect(paymentIds(await workflow.outputs(payments.length))).toEqual(payments.toSorted());
		const ran = await waitFor(
			async () => {
				const ids = (await ownExecutions()).flat();
				return ids.length >= payments.length && ids;
			},
			{ what: 'the workers to tell of all executions' },
		);
		expect(ran).toHaveLength(new Set(ran).size);
		expect(await workflow.count()).toBe(payments.length);
		await workflow.unpublish();
	});

	test('rejects forged events in every process', async () => {
		const { sandbox } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		const refused = forgeryKinds.filter((kind) => forgeries[kind].mustBeRejected);
		const answers: Record<string, unknown> = {};
		for (const process of receivers()) {
			await deliveringTo(sandbox, process, async () => {
				for (const kind of refused) {
					const { tries } = await sandbox.forge(kind);
					answers[`${process.url} ${kind}`] = tries[0]?.status;
				}
			});
		}
		expect(Object.keys(answers)).toHaveLength(3 * refused.length);
		expect(Object.entries(answers).filter(([, status]) => status !== 401)).toEqual([]);
		expect(await payAt(sandbox, 'page')).toBe(200);
		expect(await workflow.outputs(1)).toHaveLength(1);
		await workflow.unpublish();
	});

	test('with Remove Duplicates, works on an event once, wherever it is delivered again', async () => {
		const { sandbox } = bed();
		const events = await DeduplicatedWorkflow.published(bed());
		for (let count = 0; count < 2; count++) {
			await payAt(sandbox, 'page');
			// Two at the same moment can both pass: docs/trigger.md says so.
			await events.ended();
			const event = sandbox.state.deliveries.at(-1);
			for (const process of receivers()) {
				await deliveringTo(sandbox, process, async () => {
					await sandbox.resend(event?.id ?? '');
				});
				await events.ended();
			}
		}
		expect(await events.workedOn(8)).toEqual(idsOfPayments());
		await events.unpublish();
	});

	test('answers 404 in every process once it is unpublished, and takes all that is sent again', async () => {
		const { sandbox } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		for (const process of receivers()) expect(await payAt(sandbox, 'page', process)).toBe(200);
		await workflow.outputs(3);
		await workflow.unpublish();
		for (const process of receivers()) expect(await payAt(sandbox, 'page', process)).toBe(404);
		expect(await workflow.count()).toBe(3);
		await workflow.publish();
		for (const process of receivers()) expect(await payAt(sandbox, 'page', process)).toBe(200);
		await sandbox.deliveriesSettled();
		expect(paymentIds(await workflow.outputs(9))).toEqual(idsOfPayments().toSorted());
		await workflow.unpublish();
	});
}
