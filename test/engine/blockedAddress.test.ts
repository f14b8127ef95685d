import { useSandbox } from './sandbox';

const sandbox = useSandbox();

beforeAll(() => {
	// n8n reads this at its first request. It then blocks addresses of this machine.
	process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
});

afterAll(() => {
	delete process.env.N8N_SSRF_PROTECTION_ENABLED;
});

test('an address that this n8n does not allow', async () => {
	const { error } = await sandbox.run({ parameters: { pageName: 'A' } });
	expect(error?.message).toBe('n8n does not allow a request to this URL');
	expect(error?.description).toContain('the settings of n8n');
	expect(sandbox.requests).toEqual([]);
});
