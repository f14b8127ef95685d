import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { waitFor } from '../../scripts/shared/waitFor';
import { owner } from './support/preparedFolder';
import { useTestBed } from './support/testBed';
import { addPage, triggerNode } from './support/triggerWorkflow';
import { node, workflow } from './support/workflow';

/**
 * n8n stores an event and answers it when a place for its execution is free. A service that does not
 * wait so long sends it again (fact 46).
 */
const bed = useTestBed({ environment: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } });

jest.setTimeout(120_000);

/** Executions wait at it, each in its place, until it opens. */
const waiting: ServerResponse[] = [];
let isOpen = false;
let gate: Server;

beforeAll(async () => {
	gate = createServer((_request, response) => {
		if (isOpen) response.end('{}');
		else waiting.push(response);
	});
	await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
	gate.closeAllConnections();
	await new Promise((resolve) => gate.close(resolve));
});

function open(): void {
	isOpen = true;
	for (const response of waiting.splice(0)) response.end('{}');
}

async function publish(): Promise<string> {
	const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
	const nodes = [
		triggerNode(),
		node('Gate', 'n8n-nodes-base.httpRequest', { url, options: {} }, { typeVersion: 4.2 }),
	];
	const { id } = await bed().save(workflow('Limited', nodes));
	await bed().client.activate(id);
	return id;
}

test('an event that waits for a place starts the workflow once for each try', async () => {
	const { sandbox, client } = bed();
	await sandbox.reset();
	sandbox.configure({
		deliveryTimeoutMilliseconds: 2_000,
		retry: { firstWaitMilliseconds: 100, maximumTries: 3 },
	});
	isOpen = false;
	await addPage(sandbox, 'page');
	const id = await publish();

	const { deliveries } = await sandbox.pay('page');
	expect(deliveries[0]?.status).toBe('delivered');
	await waitFor(() => waiting.length === 1, { what: 'the first event to take the only place' });
	const { deliveries: later } = await sandbox.pay('page');
	await sandbox.deliveriesSettled();
	expect(later[0]?.tries.map(({ status }) => status)).toEqual([null, null, null]);
	// The first runs; those of the second are stored, and wait.
	const stored = await client.listExecutions(id);
	expect(stored.map(({ status }) => status).sort()).toEqual(['new', 'new', 'new', 'running']);

	open();
	await waitFor(
		async () => (await client.listExecutions(id)).every(({ status }) => status === 'success'),
		{ what: 'all executions to succeed', timeoutMilliseconds: 60_000 },
	);
	expect(await client.listExecutions(id)).toHaveLength(4);
	await client.deactivate(id);
});

test('an event that waits for a place when n8n crashes is started afterwards', async () => {
	const { sandbox, client, n8n } = bed();
	await sandbox.reset();
	isOpen = false;
	await addPage(sandbox, 'page');
	const id = await publish();
	await sandbox.pay('page');
	await waitFor(() => waiting.length === 1, { what: 'the first event to take the only place' });
	sandbox.configure({ deliveryTimeoutMilliseconds: 2_000, retry: { maximumTries: 1 } });
	await sandbox.pay('page');
	// An older n8n answers before it has stored the event.
	await waitFor(async () => (await client.listExecutions(id)).length === 2, {
		what: 'both events to be stored',
	});

	await n8n.kill();
	open();
	await n8n.restart();
	await client.logIn(owner);
	const ended = async (): Promise<string[]> =>
		(await client.listExecutions(id)).map(({ status }) => status);
	await waitFor(async () => (await ended()).includes('success'), {
		what: 'the event that waited to start the workflow',
		timeoutMilliseconds: 60_000,
	});
	// Newest first.
	expect(await ended()).toEqual(['success', 'crashed']);
	await client.deactivate(id);
});
