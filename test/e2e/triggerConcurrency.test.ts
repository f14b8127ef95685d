import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../../scripts/shared/waitFor';
import { addPage, payAt } from '../support/service';
import { useTestBed } from './support/bed';
import { cleanUp } from './support/cleanUp';
import { owner } from './support/preparedFolder';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { node } from './support/workflow';
import { older, testUnless } from './support/cannot';

/**
 * n8n stores an event and answers it when a place for its execution is free. A service that does not
 * wait so long sends it again (fact 46).
 */
const bed = useTestBed({ environment: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } });

jest.setTimeout(120_000);

/** Executions wait at it, each in its place, until it opens. */
const waiting: ServerResponse[] = [];
let isOpen: boolean;
let gateUrl: string;

beforeAll(async () => {
	const gate = createServer((_request, response) => {
		if (isOpen) response.end('{}');
		else waiting.push(response);
	});
	await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
	gateUrl = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
	cleanUp(async () => gate.closeAllConnections());
	cleanUp(async () => gate.close());
});

function open(): void {
	isOpen = true;
	for (const response of waiting.splice(0)) response.end('{}');
}

/** Publishes a workflow whose first event takes the only place, and has a second one wait for it. */
async function payTwice(maximumTries: number) {
	const { sandbox } = bed();
	await sandbox.reset();
	await addPage(sandbox, 'page');
	isOpen = false;
	const parameters = { url: gateUrl, options: {} };
	const gate = node('Gate', 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2 });
	const workflow = await TriggerWorkflow.published(bed(), {}, {}, [gate]);
	expect(await payAt(sandbox, 'page')).toBe(200);
	await waitFor(() => waiting.length === 1, { what: 'the first event to take the only place' });
	const retry = { firstWaitMilliseconds: 100, maximumTries };
	sandbox.configure({ deliveryTimeoutMilliseconds: 2_000, retry });
	const { deliveries } = await sandbox.pay('page');
	await sandbox.deliveriesSettled();
	// An older n8n answers before it has stored the event.
	await waitFor(async () => (await workflow.count()) === 1 + maximumTries, {
		what: 'all events to be stored',
	});
	return { workflow, tries: deliveries[0]?.tries.map(({ status }) => status) };
}

async function statuses({ id }: TriggerWorkflow): Promise<string[]> {
	return (await bed().client.listExecutions(id)).map(({ status }) => status);
}

testUnless(
	older,
	'n8n answers an event while its execution waits for a place, so that the service does not send it again',
)('an event that waits for a place starts the workflow once for each try', async () => {
	const { workflow, tries } = await payTwice(3);
	expect(tries).toEqual([null, null, null]);
	// The first runs; those of the second are stored, and wait.
	expect((await statuses(workflow)).sort()).toEqual(['new', 'new', 'new', 'running']);
	open();
	expect(await workflow.outputs(4)).toHaveLength(4);
	await workflow.unpublish();
});

testUnless(['2.0.3'], 'n8n never starts an event that waited for a place when it was stopped')(
	'an event that waits for a place when n8n crashes is started afterwards',
	async () => {
		const { workflow } = await payTwice(1);
		await bed().n8n.kill();
		open();
		await bed().n8n.restart();
		await bed().client.signIn(owner);
		await waitFor(async () => (await statuses(workflow)).includes('success'), {
			what: 'the event that waited to start the workflow',
			timeoutMilliseconds: 60_000,
		});
		// Newest first.
		expect(await statuses(workflow)).toEqual(['success', 'crashed']);
		await workflow.unpublish();
	},
);
