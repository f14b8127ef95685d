import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { N8nClient } from '../../scripts/localN8n/client';

type Status = 'in_progress' | 'published' | 'failed' | 'not_published';

let server: Server;

afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Stands in for an n8n that says one after the other how far it is, and stays with the last. */
async function n8nThatSays(...statuses: Status[]): Promise<N8nClient> {
	server = createServer(({ url }, response) => {
		const asked = url?.endsWith('/publication-status');
		const status = statuses.length > 1 && asked ? statuses.shift() : statuses[0];
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ data: { versionId: 'v', status, triggers: [] } }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return new N8nClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

// n8n reads a publication and its triggers apart, so that one answer can be of two moments.
test.each<[string, Status[], Status]>([
	['it is still to begin', ['not_published', 'in_progress', 'published'], 'published'],
	['it is over and its triggers are of before', ['not_published', 'failed'], 'failed'],
	['it is over and its triggers are of the version before', ['published', 'failed'], 'failed'],
	['it takes long', ['in_progress', 'in_progress', 'published', 'published'], 'published'],
])('the end of a publication is waited for when %s', async (_what, statuses, end) => {
	const client = await n8nThatSays(...statuses);
	expect((await client.activate('1')).status).toBe(end);
});

test('the end of an unpublication is waited for', async () => {
	const client = await n8nThatSays('published', 'in_progress', 'not_published');
	await client.deactivate('1');
	expect((await client.publicationStatus('1')).status).toBe('not_published');
});
