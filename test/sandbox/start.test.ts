import { spawn } from 'node:child_process';
import path from 'node:path';
import { startSandbox } from '../../sandbox';
import { send, validate } from './wire';

const root = path.resolve(__dirname, '../..');

/** Runs `scripts/sandbox.ts` until it ends by itself or `until` appears in its output. */
async function runScript(
	port: string,
	until?: string,
): Promise<{ output: string; code: number | null }> {
	const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/sandbox.ts'], {
		cwd: root,
		env: { ...process.env, SANDBOX_PORT: port },
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
			if (until && output.includes(until)) child.kill('SIGTERM');
		});
	}
	const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
	return { output, code };
}

test('prints how to connect, and ends on SIGTERM', async () => {
	const { output, code } = await runScript('0', 'Press Ctrl-C');
	expect(output).toMatch(/Base URL {6}http:\/\/127\.0\.0\.1:\d+\/api\n/);
	expect(output).toContain('1002003004005006007');
	expect(output).toContain('sandbox-private-key');
	expect(output).toContain('sandbox-api-key');
	expect(code).toBe(0);
});

test('says in one sentence that its port is in use, or no port at all', async () => {
	const other = await startSandbox();
	try {
		const { port } = new URL(other.url);
		const { output, code } = await runScript(port);
		expect(output).toMatch(new RegExp(`^Port ${port} is already in use.*SANDBOX_PORT=.*\\n$`));
		expect(code).toBe(1);
	} finally {
		await other.stop();
	}
	const wrong = await runScript('http');
	expect(wrong).toEqual({
		output: 'SANDBOX_PORT must be a port number, but it is "http".\n',
		code: 1,
	});
});

test('rejects with the code of the system when the port is taken', async () => {
	const other = await startSandbox();
	try {
		await expect(startSandbox({ port: Number(new URL(other.url).port) })).rejects.toMatchObject({
			code: 'EADDRINUSE',
		});
	} finally {
		await other.stop();
	}
});

test.each(['12a', '', '1.5'])('refuses to start for the merchant ID %p', async (merchantId) => {
	await expect(startSandbox({ merchantId })).rejects.toThrow('merchantId');
});

test('forgets the oldest requests and deliveries', async () => {
	const sandbox = await startSandbox();
	try {
		await validate(sandbox, 'oldest');
		const { requests } = sandbox.state;
		const [oldest] = requests;
		if (!oldest) throw new Error('the request was not remembered');
		while (requests.length < 20_000) requests.push(oldest);
		await validate(sandbox, 'newest');
		expect(requests).toHaveLength(20_000);
		expect(requests[19_999]?.url).toContain('newest');
		expect((await send(sandbox.url, '/')).status).toBe(200);
	} finally {
		await sandbox.stop();
	}
});
