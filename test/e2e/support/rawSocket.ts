import { connect } from 'node:net';

export interface RawAnswer {
	/** HTTP status; undefined when the connection ended without an answer. */
	status: number | undefined;
	text: string;
}

const millisecondsToAnswer = 60_000;

/**
 * Sends bytes that no HTTP client would send to a server on this machine, and reads until it closes
 * the connection, which `Connection: close` makes it do.
 */
export async function sendRaw(port: number, bytes: Buffer): Promise<RawAnswer> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		const chunks: Buffer[] = [];
		const finish = () => {
			const text = Buffer.concat(chunks).toString('latin1');
			const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
			resolve({ status: status === undefined ? undefined : Number(status), text });
		};
		socket.setTimeout(millisecondsToAnswer, () => socket.destroy());
		socket.on('data', (chunk) => chunks.push(chunk));
		// A server may close while the rest of the request is still being sent.
		socket.on('error', () => socket.destroy());
		socket.on('close', finish);
		socket.write(bytes);
	});
}
