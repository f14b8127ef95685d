import { useSandbox } from './sandbox';

const sandbox = useSandbox();

// n8n reads this once, at its first request, so it takes a file. It then blocks addresses of this
// machine.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';

test('an address that this n8n does not allow', async () => {
	const { told } = await sandbox.run();
	expect(told).toMatch(/^n8n does not allow a request to this URL .*the settings of n8n/);
	expect(sandbox.requests).toEqual([]);
});
