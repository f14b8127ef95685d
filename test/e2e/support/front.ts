import {
	createServer,
	request as httpRequest,
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server in front of n8n, as a proxy is: its address is known before n8n starts. */
export class Front {
	/** The address of n8n. */
	target = '';
	/** What answers in place of n8n while it is set, and to which paths. */
	instead: { paths: RegExp; answer: RequestListener } | undefined;

	private readonly server = createServer((request, response) => {
		const isHere = this.instead?.paths.test(request.url ?? '');
		const answer = isHere ? this.instead?.answer : undefined;
		(answer ?? this.forward)(request, response);
	});

	static async start(): Promise<Front> {
		const front = new Front();
		await new Promise<void>((resolve) => front.server.listen(0, '127.0.0.1', resolve));
		return front;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private readonly forward = (request: IncomingMessage, response: ServerResponse) => {
		const { method, headers } = request;
		const forwarded = httpRequest(new URL(request.url ?? '', this.target), { method, headers });
		forwarded.on('response', (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		forwarded.on('error', () => request.socket.destroy());
		request.pipe(forwarded);
	};
}

/** Ends the connection without an answer. */
export const cut: RequestListener = (request) => request.socket.destroy();
