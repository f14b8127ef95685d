import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ServerRequest {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface ServerAnswer {
	status?: number;
	headers?: Record<string, string>;
	body?: string;
}

export interface AnsweringServer {
	baseUrl: string;
	requests: ServerRequest[];
	stop(): Promise<void>;
}

/** A server that answers what the test wants, or cuts; for what the sandbox does not do. */
export async function startAnsweringServer(
	answerTo: (request: ServerRequest) => ServerAnswer | Promise<ServerAnswer | undefined>,
): Promise<AnsweringServer> {
	const requests: ServerRequest[] = [];
	const server = createServer((incoming, outgoing) => {
		void buffer(incoming).then(async (bytes) => {
			const { method = '', url = '', headers } = incoming;
			const request = { method, url, headers, body: bytes.toString('utf8') };
			requests.push(request);
			const answer = await answerTo(request);
			if (answer === undefined) return void outgoing.destroy();
			outgoing.writeHead(answer.status ?? 200, {
				'content-type': 'application/json',
				...answer.headers,
			});
			outgoing.end(answer.body ?? '');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		requests,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
