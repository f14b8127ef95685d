import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** A request as bytes, and whether it holds a proof that the sender knows the secret. */
export interface MutatedEvent {
	bytes: Buffer;
	isGenuine: boolean;
}

type Headers = Array<[name: string, value: string]>;

const body = '{"event":"payment.completed","paymentId":"7","amount":49.9,"name":"Zoë"}';

/** Without XML: some of what is none, such as the letter D, n8n's own reader never comes back from. */
const contentType = fc.oneof(
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

/** What a header can carry on the wire, and now and then what it must not. */
const wireText = fc
	.tuple(fc.nat(60), fc.uint8Array({ maxLength: 80 }))
	.map(([odd, bytes]) => (odd === 0 ? bytes : bytes.map((byte) => 0x20 + (byte % 0xe0))))
	.map((bytes) => Buffer.from(bytes).toString('latin1').replace(/\x7f/g, ' '));

function textsNear(right: string): fc.Arbitrary<string> {
	return fc.oneof(
		fc.constantFrom('', right.slice(1), right.slice(0, -1), `${right}0`, 't=abc', 'é'.repeat(64)),
		fc.nat(right.length - 1).map((at) => {
			const other = right[at] === '0' ? '1' : '0';
			return right.slice(0, at) + other + right.slice(at + 1);
		}),
		wireText,
	);
}

const content = fc.oneof(
	fc.nat(body.length).map((length) => Buffer.from(body.slice(0, length))),
	fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
	fc
		.oneof(
			fc.constantFrom(body, body, '', '\ufeff', 'null', '"x"', '[]', '<a', '<a/>', 'a=b'),
			fc.constantFrom('{"__proto__":{"x":1}}', '['.repeat(5_000), `{"a":"${'x'.repeat(200_000)}"}`),
			fc.json(),
		)
		.map((text) => Buffer.from(text)),
);

/** How a body travels. Broken compression only with a type that n8n leaves to the trigger. */
const framing = fc.constantFrom('length', 'length', 'chunked', 'gzip', 'brokenGzip', 'br');

const encodings: Record<string, string> = { gzip: 'gzip', brokenGzip: 'gzip', br: 'br' };

function toBytes(start: string, headers: Headers, plain: Buffer, how: string): Buffer {
	const bytes = how === 'gzip' ? gzipSync(plain) : plain;
	const lines = [...headers];
	// Of two types the first counts.
	if (how === 'brokenGzip') lines.unshift(['Content-Type', 'application/x-unknown']);
	if (how in encodings) lines.push(['Content-Encoding', encodings[how] ?? '']);
	const isChunked = how === 'chunked';
	lines.push(isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', `${bytes.length}`]);
	const head = [start, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
	const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
	const chunk = bytes.length === 0 ? [] : [size, bytes, Buffer.from('\r\n')];
	const framed = isChunked ? [...chunk, Buffer.from('0\r\n\r\n')] : [bytes];
	return Buffer.concat([Buffer.from(head, 'latin1'), ...framed]);
}

/**
 * Requests around a genuine one: other headers, bytes, types, encodings, tokens and signatures.
 *
 * @param url the registered address, with its token
 */
export function mutatedEvents(url: string, secret: string): fc.Arbitrary<MutatedEvent> {
	const { pathname, searchParams } = new URL(url);
	const token = searchParams.get('token') ?? '';
	const rightSignature = createHmac('sha256', secret).update(body).digest('hex');
	const query = fc
		.tuple(fc.constantFrom('', '?token=#', '?token=#&token=#', '?token[x]=#&a'), textsNear(token))
		.map(([form, text]) => form.replaceAll('#', () => encodeURIComponent(text)));
	const headers = fc
		.tuple(contentType, textsNear(rightSignature), fc.array(fc.tuple(headerName, wireText)))
		.map(
			([type, signature, others]): Headers => [
				['Host', '127.0.0.1'],
				['Connection', 'close'],
				['Content-Type', type],
				['X-Webhook-Signature', signature],
				...others,
			],
		);
	const method = fc.oneof(
		{ weight: 20, arbitrary: fc.constant('POST') },
		{ weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'OPTIONS', 'HEAD', 'post', 'X') },
	);
	return fc
		.tuple(fc.nat(9), method, query, headers, content, framing)
		.map(([number, verb, forged, lines, bytes, how]) => {
			// One in ten has the right token.
			const isGenuine = number === 0;
			const target = pathname + (isGenuine ? `?token=${token}` : forged);
			return { isGenuine, bytes: toBytes(`${verb} ${target} HTTP/1.1`, lines, bytes, how) };
		});
}

/**
 * Sends bytes that no HTTP client would send to a server on this machine, and reads until it closes
 * the connection, which `Connection: close` makes it do.
 *
 * @returns no status when the connection ended without an answer
 */
export async function sendRaw(
	url: string,
	bytes: Buffer,
): Promise<{ status: number | undefined; text: string }> {
	const { port, hostname } = new URL(url);
	const socket = connect(Number(port), hostname);
	const chunks: Buffer[] = [];
	socket.setTimeout(60_000, () => socket.destroy()).on('data', (chunk) => chunks.push(chunk));
	socket.write(bytes);
	// A server may close while the rest of the request is still being sent.
	await new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
	const text = Buffer.concat(chunks).toString('latin1');
	const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
	return { status: status === undefined ? undefined : Number(status), text };
}
