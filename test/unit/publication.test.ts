import { N8nClient } from '../../scripts/localN8n/client';
import { type AnsweringServer, startAnsweringServer } from '../support/answeringServer';

type Status = 'in_progress' | 'published' | 'failed' | 'not_published';

let server: AnsweringServer;

afterEach(() => server.stop());

/** Stands in for an n8n that says one after the other how far it is, and stays with the last. */
async function n8nThatSays(...statuses: Status[]): Promise<N8nClient> {
	server = await startAnsweringServer(({ url }) => {
		const isNext = statuses.length > 1 && url.endsWith('/publication-status');
		const status = isNext ? statuses.shift() : statuses[0];
		return { body: JSON.stringify({ data: { versionId: 'v', status, triggers: [] } }) };
	});
	return new N8nClient(server.baseUrl);
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
