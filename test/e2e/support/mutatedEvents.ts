import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** A request as bytes, and whether it has the right token, which proves it. */
export interface MutatedEvent {
	bytes: Buffer;
	isGenuine: boolean;
}

const body = '{"event":"payment.completed","paymentId":"7","amount":49.9,"name":"Zoë"}';

/** What a header can carry on the wire, and now and then what it must not. */
const wireText = fc
	.tuple(fc.nat(60), fc.uint8Array({ maxLength: 80 }))
	.map(([odd, bytes]) => (odd === 0 ? bytes : bytes.map((byte) => 0x20 + (byte % 0xe0))))
	.map((bytes) => Buffer.from(bytes).toString('latin1').replace(/\x7f/g, ' '));

/** Without XML: some of what is none, such as the letter D, n8n's own reader never comes back from. */
const type = fc.oneof(
	fc.constantFrom(
		...['application/json', 'application/json; charset=utf-16', 'text/plain; charset=latin1'],
		...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '*/*', ';;;'],
		...['application/json; charset=nonsense', 'multipart/mixed; boundary=x', 'multipart/form-data'],
	),
	fc.string(),
);

const headerName = fc.oneof(
	fc.constantFrom(
		...['constructor', '__proto__', 'X-Time', 'Authorization', 'Cookie', 'Origin', 'Connection'],
		...['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'Range', 'Upgrade'],
	),
	fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,30}$/),
);

const content = fc
	.oneof(
		fc.nat(body.length).map((length) => body.slice(0, length)),
		fc.constantFrom(body, '', '\ufeff', 'null', '"x"', '[]', '<a', '<a/>', 'a=b'),
		fc.constantFrom('{"__proto__":{"x":1}}', '['.repeat(5_000), `{"a":"${'x'.repeat(200_000)}"}`),
		fc.json(),
		fc.uint8Array({ maxLength: 2_000 }),
	)
	.map((bytes) => Buffer.from(bytes as string));

const method = fc.oneof(
	{ weight: 20, arbitrary: fc.constant('POST') },
	{ weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'OPTIONS', 'HEAD', 'post', 'X') },
);

/** How a body travels. */
const framing = fc.constantFrom('length', 'length', 'chunked', 'gzip', 'brokenGzip', 'br');

/**
 * Requests around a genuine one: other headers, bytes, types, encodings and tokens.
 *
 * @param url the registered address, with its token
 */
export function mutatedEvents(url: string): fc.Arbitrary<MutatedEvent> {
	const { pathname, search } = new URL(url);
	const [one, other] = [search.slice(0, -1), search.replace('token=', 'token[x]=')];
	return fc
		.record({
			// One in ten has the right token.
			query: fc.oneof(
				{ weight: 1, arbitrary: fc.constant(search) },
				{ weight: 9, arbitrary: fc.constantFrom('', one, `${one}&${one.slice(1)}`, other) },
			),
			headers: fc.array(fc.tuple(headerName, wireText)),
			...{ method, type, signature: wireText, content, framing },
		})
		.map(({ query, method, headers, type, signature, content, framing }) => {
			// One character for each byte.
			const payload = (framing === 'gzip' ? gzipSync(content) : content).toString('latin1');
			const size = payload.length;
			const isChunked = framing === 'chunked';
			const lines = [
				`${method} ${pathname}${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close`,
				// Of two types the first counts; with this one, n8n leaves the bytes to the trigger.
				...(framing === 'brokenGzip' ? ['Content-Type: application/x-unknown'] : []),
				`Content-Type: ${type}\r\nX-Webhook-Signature: ${signature}`,
				...headers.map(([name, value]) => `${name}: ${value}`),
				...(/gzip/i.test(framing) ? ['Content-Encoding: gzip'] : []),
				...(framing === 'br' ? ['Content-Encoding: br'] : []),
				isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`,
			];
			const chunks = (size > 0 ? `${size.toString(16)}\r\n${payload}\r\n` : '') + '0\r\n\r\n';
			const text = `${lines.join('\r\n')}\r\n\r\n${isChunked ? chunks : payload}`;
			return { isGenuine: query === search, bytes: Buffer.from(text, 'latin1') };
		});
}

/** Sends bytes that no HTTP client would send, and gives what comes until the connection is closed. */
export async function sendRaw(url: string, bytes: Buffer): Promise<string> {
	const { port, hostname } = new URL(url);
	const socket = connect(Number(port), hostname).setEncoding('latin1');
	let answer = '';
	socket.setTimeout(60_000, () => socket.destroy()).on('data', (text) => (answer += String(text)));
	socket.write(bytes);
	// A server may close while the rest of the request is still being sent.
	await new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
	return answer;
}
