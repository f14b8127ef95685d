import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { SentRequest } from '../../support/request';

/** A request, and whether it holds a proof that the sender knows the secret. */
export interface MutatedEvent extends SentRequest {
	url: string;
	isGenuine: boolean;
}

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
	fc.constantFrom('constructor', 'X-Signature', 'Authorization', 'Cookie', 'X-Forwarded-Host'),
	fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,30}$/),
);

/** All that a header can carry on the wire. */
const headerText = fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,80}$/);

const right = '{"event":"payment.completed","paymentId":"7","amount":49.9,"name":"Zoë"}';

const content = fc.oneof(
	fc.nat(right.length).map((length) => right.slice(0, length)),
	fc.uint8Array({ maxLength: 2_000 }),
	fc.constantFrom(right, right, '', '\ufeff', 'null', '"x"', '[]', '<a', '<a/>', 'a=b'),
	fc.constantFrom('{"__proto__":{"x":1}}', '['.repeat(5_000), `{"a":"${'x'.repeat(200_000)}"}`),
	fc.json(),
);

/** How a body travels. Broken compression only with a type that n8n leaves to the trigger. */
const framings: Array<(body: Buffer) => SentRequest & { body: Buffer }> = [
	(body) => ({ body }),
	(body) => ({ body, headers: { 'Transfer-Encoding': 'chunked' } }),
	(body) => ({ body: gzipSync(body), headers: { 'Content-Encoding': 'gzip' } }),
	(body) => ({ body, headers: { 'Content-Encoding': 'br' } }),
	(body) => ({
		body,
		headers: { 'Content-Type': 'application/x-unknown', 'Content-Encoding': 'gzip' },
	}),
];

const drawn = {
	method: fc.oneof(
		{ weight: 20, arbitrary: fc.constant('POST') },
		{ weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'OPTIONS') },
	),
	forgedQuery: fc.constantFrom('', '?token=abc', '?token=&token=%C3%A9', '?token[x]=1&a'),
	contentType,
	others: fc.dictionary(headerName, headerText),
	content,
	frame: fc.constantFrom(...framings),
	number: fc.nat(9),
};

/**
 * Requests as strangers send them, one in ten with the right token. What is nearly a proof is left
 * to the unit tests.
 *
 * @param url the registered address, with its token
 */
export function mutatedEvents(url: string): fc.Arbitrary<MutatedEvent> {
	return fc.record(drawn).map(({ number, forgedQuery, others, frame, ...event }) => {
		const isGenuine = number === 0;
		const { body, headers } = frame(Buffer.from(event.content));
		const type = { 'Content-Type': event.contentType };
		return {
			isGenuine,
			url: isGenuine ? url : url.replace(/\?.*/, forgedQuery),
			method: event.method,
			headers: { ...others, ...type, ...headers },
			body,
		};
	});
}
