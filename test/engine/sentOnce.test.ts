import { startAnsweringServer } from './answeringServer';
import { useSandbox } from './sandbox';
import { ways } from './ways';

/** n8n's helper sends again by itself after an error of status 401; it must not come to that. */
const sandbox = useSandbox();

const { create, register, trigger } = ways;

test.each([400, 401, 403, 404, 407, 422])('HTTP %d is asked for once', async (status) => {
	for (const way of [create, register, trigger]) {
		const server = await startAnsweringServer(() => ({ status, body: '{}' }));
		const failure = await way?.(sandbox, { baseUrl: server.baseUrl });
		await server.stop();
		expect(failure).toContain(`(HTTP ${status})`);
		expect(server.requests).toHaveLength(1);
	}
});
