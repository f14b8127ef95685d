import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** A request as bytes, and whether it holds a proof that the sender knows the secret. */
export interface MutatedEvent {
	bytes: Buffer;
	isGenuine: boolean;
}

export interface Genuine {
	/** The registered address, with its token. */
	url: string;
	secret: string;
}

const body = '{"event":"payment.completed","paymentId":"7","amount":49.9,"name":"Zoë"}';

/** Without XML: some of what is none, such as the letter D, n8n's own reader never comes back from. */
const contentType = fc.oneof(
	fc.constantFrom(
		'application/json',
		'application/json; charset=utf-16',
		'application/json; charset=nonsense',
		'text/plain; charset=latin1',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'multipart/form-data',
		'multipart/mixed; boundary=x',
		'application/octet-stream',
		'*/*',
		'/',
		';;;',
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

function latin1(min: number): fc.Arbitrary<string> {
	return fc
		.uint8Array({ maxLength: 80, min, max: 0xff })
		.map((bytes) => Buffer.from(bytes).toString('latin1').replace(/\x7f/g, ' '));
}

/** What a header can carry on the wire, and now and then what it must not. */
const wireText = fc.oneof(
	{ weight: 60, arbitrary: latin1(0x20) },
	{ weight: 1, arbitrary: latin1(0) },
);

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
	fc.constant(Buffer.from(body)),
	fc.tuple(fc.nat(body.length), fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
		const changed = Buffer.from(body);
		changed[at] = (changed[at] ?? 0) ^ bits;
		return changed;
	}),
	fc.nat(body.length).map((length) => Buffer.from(body.slice(0, length))),
	fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
	fc.json().map((text) => Buffer.from(text)),
	fc
		.constantFrom('', '\ufeff', 'null', '"x"', '[]', '{"__proto__":{"x":1}}', '<a', '<a/>', 'a=b')
		.map((text) => Buffer.from(text)),
	fc.constantFrom(100, 5_000).map((depth) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))),
	fc.constant(Buffer.from(`{"a":"${'x'.repeat(200_000)}"}`)),
);

/** How a body travels. Broken compression only with a type that n8n leaves to the trigger. */
const framing = fc.constantFrom('length', 'length', 'chunked', 'gzip', 'brokenGzip', 'br');

interface Parts {
	method: string;
	target: string;
	headers: Array<[name: string, value: string]>;
	content: Buffer;
	framing: string;
}

function toBytes({ method, target, headers, content, framing }: Parts): Buffer {
	const bytes = framing === 'gzip' ? gzipSync(content) : content;
	const lines = [...headers];
	// Of two types the first counts.
	if (framing === 'brokenGzip') lines.unshift(['Content-Type', 'application/x-unknown']);
	const encodings: Record<string, string> = { gzip: 'gzip', brokenGzip: 'gzip', br: 'br' };
	const encoding = encodings[framing];
	if (encoding !== undefined) lines.push(['Content-Encoding', encoding]);
	const isChunked = framing === 'chunked';
	lines.push(
		isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(bytes.length)],
	);
	const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
	const chunk = bytes.length === 0 ? [] : [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n'];
	const parts = [`${method} ${target} HTTP/1.1\r\n${head}\r\n`];
	return Buffer.concat(
		[...parts, ...(isChunked ? [...chunk, '0\r\n\r\n'] : [bytes])].map((part) =>
			typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
		),
	);
}

/** Requests around a genuine one: other headers, bytes, types, encodings, tokens and signatures. */
export function mutatedEvents({ url, secret }: Genuine): fc.Arbitrary<MutatedEvent> {
	const { pathname, searchParams } = new URL(url);
	const token = searchParams.get('token') ?? '';
	const rightSignature = createHmac('sha256', secret).update(body).digest('hex');
	const query = textsNear(token).map(encodeURIComponent);
	const forgedQuery = fc.oneof(
		fc.constant(''),
		query.map((text) => `?token=${text}`),
		query.map((text) => `?token=${text}&token=${text}`),
		query.map((text) => `?token[x]=${text}&__proto__[x]=1`),
		query.map((text) => `?other=${text}&token`),
	);
	const headers = fc
		.tuple(contentType, textsNear(rightSignature), fc.array(fc.tuple(headerName, wireText)))
		.map(([type, signature, others]): Parts['headers'] => [
			['Host', '127.0.0.1'],
			['Connection', 'close'],
			['Content-Type', type],
			['X-Webhook-Signature', signature],
			...others,
		]);
	return fc
		.record({
			// One in ten has the right token.
			isGenuine: fc.nat(9).map((number) => number === 0),
			method: fc.oneof(
				{ weight: 20, arbitrary: fc.constant('POST') },
				{ weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'OPTIONS', 'HEAD', 'post', 'X') },
			),
			forgedQuery,
			headers,
			content,
			framing,
		})
		.map(({ isGenuine, forgedQuery: forged, ...parts }) => ({
			isGenuine,
			bytes: toBytes({ ...parts, target: pathname + (isGenuine ? `?token=${token}` : forged) }),
		}));
}
