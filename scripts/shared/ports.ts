import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { PlainError } from './terminal';

async function isPortFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
		return true;
	} catch (error) {
		const { code = '' } = error as NodeJS.ErrnoException;
		if (['EADDRINUSE', 'EACCES'].includes(code)) return false;
		throw error;
	} finally {
		server.close();
	}
}

const given = new Set<number>();

/**
 * A loopback port that is free, another one each time. n8n takes some of its ports only seconds after its start, so it is
 * none of those that the system gives to connections meanwhile (on Linux, from 32768 on).
 */
export async function freePort(): Promise<number> {
	const port = randomInt(11_000, 32_000);
	if (given.has(port) || !(await isPortFree(port))) return freePort();
	given.add(port);
	return port;
}

/** The port in an environment variable, or the command's usual one; 0 takes a free one. */
export async function chosenPort(
	command: string,
	variable: string,
	usual: number,
): Promise<number> {
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
