import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { PlainError } from './plainError';

/** Whether something can listen on this loopback port now. */
export async function isPortFree(port: number): Promise<boolean> {
	const server = createServer();
	return new Promise((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
			else reject(error);
		});
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/**
 * A loopback port that is free. n8n takes some of its ports only seconds after its start, so it is
 * none of those that the system itself gives to connections meanwhile (on Linux, from 32768 on).
 */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(11_000, 32_000);
		if (await isPortFree(port)) return port;
	}
}

/** The port in an environment variable, or the command's usual one; 0 takes a free one. */
export async function chosenPort(
	command: string,
	variable: string,
	usual: number,
): Promise<number> {
	const value = process.env[variable] || String(usual);
	const port = Number(value);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new PlainError(`${variable} must be a port number, but it is "${value}".`);
	}
	if (port === 0) return freePort();
	if (await isPortFree(port)) return port;
	throw new PlainError(
		`Port ${port} is already in use, perhaps by an "npm start" that is still open. ` +
			`Stop that program, or choose another port: ${variable}=${port + 1} ${command}`,
	);
}
