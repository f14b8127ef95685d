import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/**
 * What a proxy does with a request: forward it, answer it with a status of its own, or break off in
 * one of the ways in which a tunnel fails to come about.
 */
export type ProxyBehaviour = 'forward' | 'end' | 'reset' | 'hang' | 'openAndEnd' | number;

export interface ForwardProxy {
	url: string;
	behaviour: ProxyBehaviour;
	/** First lines of the requests that it saw, without the version. */
	requests: string[];
	/** What it was told in `Proxy-Authorization`. */
	logins: string[];
	/** Closes all tunnels. */
	cut(): void;
	stop(): Promise<void>;
}

const page = '<html><body>The proxy says no</body></html>';

function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
	const { method, headers, url = '' } = incoming;
	const onward = request(url, { method, headers }, (answer) => {
		outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
		answer.pipe(outgoing);
	});
	onward.on('error', () => outgoing.destroy());
	incoming.pipe(onward);
}

/** Breaks a connection off, or leaves it alone. */
function breakOff(socket: Socket, behaviour: ProxyBehaviour): void {
	if (behaviour === 'end') socket.end();
	if (behaviour === 'reset') socket.resetAndDestroy();
	if (behaviour === 'openAndEnd') socket.end('HTTP/1.1 200 Connection established\r\n\r\n');
}

/** Starts a forward proxy, such as many companies have between their machines and the internet. */
export async function startForwardProxy(): Promise<ForwardProxy> {
	const sockets = new Set<Socket>();
	const server = createServer((incoming, outgoing) => {
		note(incoming);
		const { behaviour } = proxy;
		if (behaviour === 'forward') {
			forward(incoming, outgoing);
		} else if (typeof behaviour === 'number') {
			outgoing.writeHead(behaviour, { 'content-type': 'text/html', connection: 'close' });
			outgoing.end(page);
		} else {
			breakOff(incoming.socket, behaviour);
		}
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
	});
	server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
		note(incoming);
		const { behaviour } = proxy;
		if (typeof behaviour === 'number') {
			const head = `HTTP/1.1 ${behaviour} No\r\nContent-Type: text/html\r\nContent-Length: ${page.length}`;
			socket.end(`${head}\r\n\r\n${page}`);
			return;
		}
		if (behaviour !== 'forward') {
			breakOff(socket, behaviour);
			return;
		}
		const { hostname, port } = new URL(`http://${incoming.url ?? ''}`);
		const onward = connect(Number(port), hostname, () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			socket.pipe(onward).pipe(socket);
		});
		onward.on('error', () => socket.destroy());
		socket.on('close', () => onward.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const cut = () => sockets.forEach((socket) => socket.destroy());
	const proxy: ForwardProxy = {
		url: `http://127.0.0.1:${port}`,
		behaviour: 'forward',
		requests: [],
		logins: [],
		cut,
		async stop() {
			cut();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	function note({ method = '', url = '', headers }: IncomingMessage): void {
		proxy.requests.push(`${method} ${url}`);
		const login = headers['proxy-authorization'];
		if (login !== undefined) proxy.logins.push(login);
	}
	return proxy;
}
