import { createServer, type IncomingMessage, request, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/**
 * What a proxy does with a request: forward it, answer it with a status of its own, or break off in
 * one of the ways in which a tunnel fails to come about.
 */
export type ProxyBehaviour = 'forward' | 'end' | 'reset' | 'hang' | 'openAndEnd' | number;

export type ForwardProxy = Awaited<ReturnType<typeof startForwardProxy>>;

const page = '<html><body>The proxy says no</body></html>';
const opened = 'HTTP/1.1 200 Connection established\r\n\r\n';

function forward({ method, headers, url = '' }: IncomingMessage, answer: ServerResponse): void {
	const onward = request(url, { method, headers }, (response) => {
		answer.writeHead(response.statusCode ?? 500, response.headers);
		response.pipe(answer);
	});
	onward.on('error', () => answer.destroy());
	answer.req.pipe(onward);
}

function openTunnel({ url }: IncomingMessage, socket: Socket): void {
	const { hostname, port } = new URL(`http://${url ?? ''}`);
	const onward = connect(Number(port), hostname, () => {
		socket.write(opened);
		socket.pipe(onward).pipe(socket);
	});
	onward.on('error', () => socket.destroy());
	socket.on('close', () => onward.destroy());
}

/** Starts a forward proxy, such as many companies have between their machines and the internet. */
export async function startForwardProxy() {
	const sockets = new Set<Socket>();
	const proxy = {
		url: '',
		behaviour: 'forward' as ProxyBehaviour,
		requests: [] as string[], // their first lines, without the version
		logins: [] as string[], // what it was told in `Proxy-Authorization`
		/** Closes all tunnels. */
		cut: () => sockets.forEach((socket) => socket.destroy()),
		async stop() {
			proxy.cut();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	/** Notes a request, and does with it what the proxy does unless it forwards. */
	function stops(request: IncomingMessage, answer: ServerResponse): boolean {
		const { method = '', url = '', headers, socket } = request;
		const { behaviour, requests, logins } = proxy;
		requests.push(`${method} ${url}`);
		logins.push(...[headers['proxy-authorization'] ?? []].flat());
		if (behaviour === 'end') socket.end();
		if (behaviour === 'reset') socket.resetAndDestroy();
		if (behaviour === 'openAndEnd') socket.end(opened);
		if (typeof behaviour === 'number')
			answer.writeHead(behaviour, { 'content-type': 'text/html', connection: 'close' }).end(page);
		return behaviour !== 'forward';
	}
	const server = createServer((incoming, answer) => {
		if (!stops(incoming, answer)) forward(incoming, answer);
	});
	server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
		const answer = new ServerResponse(incoming);
		answer.assignSocket(socket);
		answer.on('finish', () => socket.end());
		if (!stops(incoming, answer)) openTunnel(incoming, socket);
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return proxy;
}
