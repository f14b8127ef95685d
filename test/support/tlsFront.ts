import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { selfSignedCertificate } from './certificate';

export type TlsFront = Awaited<ReturnType<typeof startTlsFront>>;

/** Puts TLS with a self-signed certificate in front of a service that speaks plain HTTP. */
export async function startTlsFront(serviceUrl: string) {
	const { hostname, port, pathname } = new URL(serviceUrl);
	const server = createServer(await selfSignedCertificate('localhost'), (socket) => {
		const onward = connect(Number(port), hostname);
		socket.pipe(onward).pipe(socket);
		for (const end of [socket, onward]) end.on('error', () => undefined);
	});
	// A client that does not trust the certificate ends the handshake.
	server.on('tlsClientError', () => undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
		stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
