import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';
import { capture, type SubprocessResult } from '../../scripts/shared/subprocess';

/** Runs the command behind `npm start` to its end. */
function start(args: string[], environment: NodeJS.ProcessEnv = {}): Promise<SubprocessResult> {
	const script = path.join(projectRoot, 'scripts', 'start.ts');
	return capture(process.execPath, ['--import', 'tsx', script, ...args], {
		environment: { ...process.env, ...environment },
	});
}

test('makes pages of the CRM rows, prints their links and ends, with --once', async () => {
	const { code, output } = await start(['--once']);
	expect(output).toContain('Payment pages created from the rows of crm.csv: 28.');
	for (const reference of ['inv-2026-0101', 'inv-2026-0128', 'inv-2026-0130']) {
		expect(output).toMatch(new RegExp(`http://127\\.0\\.0\\.1:\\d+/pay/test-${reference}\n`));
	}
	expect(output).toMatch(/Amelia Hart +1249\.50 +paid +http/);
	expect(code).toBe(0);
}, 300_000);

test('says in one sentence which port is in use, and how to choose another', async () => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const { code, output } = await start([], { N8N_PORT: String(port) });
	server.close();
	expect(output.trim()).toMatch(
		new RegExp(`^Port ${port} is already in use.* N8N_PORT=${port + 1} npm start$`),
	);
	expect(code).toBe(1);
});

test('refuses what it does not know', async () => {
	const { code, output } = await start(['--twice']);
	expect(output).toContain('"--twice" is not an option');
	expect(code).toBe(1);
});
