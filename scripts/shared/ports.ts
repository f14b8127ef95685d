import { createServer } from 'node:net';
import { PlainError } from './plainError';

function tryPort(port: number): Promise<number | undefined> {
	const server = createServer();
	return new Promise((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
			else reject(error);
		});
		server.listen(port, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
		});
	});
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
	const port = await tryPort(0);
	if (port === undefined) throw new Error('The system gave no free port.');
	return port;
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
	const free = await tryPort(port);
	if (free !== undefined) return free;
	throw new PlainError(
		`Port ${port} is in use by another program, perhaps by an "npm start" that is still open. ` +
			`Stop that program, or choose another port: ${variable}=${port + 1} ${command}`,
	);
}
