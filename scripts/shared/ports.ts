import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

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
