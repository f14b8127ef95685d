import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { PlainError } from './terminal';

async function isPortFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer().on('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

const given = new Set<number>();

/** A loopback port that is free, another one each time. */
export async function freePort(): Promise<number> {
	// n8n takes some only seconds after its start; meanwhile, Linux gives others to connections.
	const port = randomInt(11_000, 32_000);
	if (given.has(port) || !(await isPortFree(port))) return freePort();
	given.add(port);
	return port;
}

/** The port in an environment variable, or the command's usual one; 0 takes a free one. */
export async function chosenPort(command: string, variable: string, usual: number) {
	const value = process.env[variable] || String(usual);
	if (!/^\d{1,5}$/.test(value)) {
		throw new PlainError(`${variable} must be a port number, but it is "${value}".`);
	}
	const port = Number(value);
	if (port === 0) return freePort();
	if (await isPortFree(port)) return port;
	throw new PlainError(
		`Port ${port} is already in use, perhaps by an "npm start" that is still open. ` +
			`Stop that program, or choose another port: ${variable}=${port + 1} ${command}`,
	);
}
