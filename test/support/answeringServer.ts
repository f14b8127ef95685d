import { once } from 'node:events';
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

export type AnsweringServer = Awaited<ReturnType<typeof startAnsweringServer>>;

/** A server that answers what the test wants, or cuts; for what the sandbox does not do. */
export async function startAnsweringServer(
	answerTo: (request: ServerRequest) => ServerAnswer | Promise<ServerAnswer | undefined>,
) {
	const requests: ServerRequest[] = [];
	const server = createServer((incoming, outgoing) => {
		void buffer(incoming).then(async (bytes) => {
			const { method = '', url = '', headers } = incoming;
			const request = { method, url, headers, body: bytes.toString() };
			requests.push(request);
			const answer = await answerTo(request);
			if (answer === undefined) return void outgoing.destroy();
			const { status = 200, headers: more, body } = answer;
			outgoing.writeHead(status, { 'content-type': 'application/json', ...more }).end(body);
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
