import { createServer } from 'node:net';

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

/** Whether something can listen on this loopback port now. */
export async function isPortFree(port: number): Promise<boolean> {
	return (await tryPort(port)) !== undefined;
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
	const port = await tryPort(0);
	if (port === undefined) throw new Error('The system gave no free port.');
	return port;
}
