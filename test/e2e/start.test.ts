import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { debianPackages } from '../../scripts/queue/debian';
import { projectRoot } from '../../scripts/shared/root';
import { capture, type SubprocessResult } from '../../scripts/shared/subprocess';
import { isMissing, older, testUnless, withoutTables } from './support/needs';

/** Runs the command behind `npm start` or `npm run start:queue` to its end. */
function start(args: string[], more: NodeJS.ProcessEnv = {}): Promise<SubprocessResult> {
	const environment = { ...process.env, ...more };
	const command = ['--import', 'tsx', path.join(projectRoot, 'scripts', 'start.ts'), ...args];
	return capture(process.execPath, command, { environment });
}

jest.setTimeout(300_000);

/** Runs it once: it makes pages of the CRM rows, prints their links, and ends. */
async function startOnce(...args: string[]): Promise<string> {
	const { code, output } = await start([...args, '--once']);
	expect(output).toContain('Payment pages created from the rows of crm.csv: 28.');
	expect(output).toMatch(/Amelia Hart +1249\.50 +paid +http/);
	for (const reference of ['inv-2026-0101', 'inv-2026-0128', 'inv-2026-0130']) {
		expect(output).toMatch(new RegExp(`http://127\\.0\\.0\\.1:\\d+/pay/test-${reference}\n`));
	}
	expect(code).toBe(0);
	return output;
}

testUnless(older, withoutTables)(
	'makes pages, prints their links and ends, with --once',
	async () => {
		await startOnce();
	},
);

const testQueue = isMissing(...debianPackages) ? test.skip : testUnless(older, withoutTables);

testQueue('does so in queue mode, too', async () => {
	const words = /The workers ran (\d+) and (\d+) of these executions/;
	const [, first, second] = words.exec(await startOnce('queue')) ?? [];
	// Two started by hand and one by the payment.
	expect(Number(first) + Number(second)).toBe(3);
});

test('says in one sentence which port is in use, and how to choose another', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const { code, output } = await start([], { N8N_PORT: String(port) });
	server.close();
	expect(output.trim()).toMatch(
		new RegExp(`^Port ${port} is already in use.* N8N_PORT=${port + 1} npm start$`),
	);
	expect(code).toBe(1);
});
