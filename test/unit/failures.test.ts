import fc from 'fast-check';
import { NodeApiError, UserError, type INode, type JsonObject } from 'n8n-workflow';

import { ServiceError } from '../../nodes/shared/errors';
import { networkError, readRetryAfter } from '../../nodes/shared/service/failures';
import { parseResponse } from '../../nodes/shared/service/response';

/**
 * What can't be built for real in seconds; `test/engine/failures.test.ts` and `networks.test.ts` have
 * the rest, with what each operation does.
 */

const node = { name: 'Payment Page', typeVersion: 1, parameters: {} } as INode;

function systemError(code: string, syscall?: string): Error {
	return Object.assign(new Error(`${syscall ?? ''} ${code}`), { code, syscall });
}

/** As n8n hands it over: the HTTP client's error around the system's, and n8n's around that. */
function wrapped(inner: unknown): NodeApiError {
	const { code } = inner as { code?: string };
	const client = Object.assign(new Error('request failed', { cause: inner }), { code });
	return new NodeApiError(node, client as unknown as JsonObject);
}

const kindOf = (error: unknown) => networkError(error).details.kind;

test.each([
	['notSent', 'connect', 'ECONNREFUSED EHOSTUNREACH ETIMEDOUT EADDRNOTAVAIL ECONNRESET'],
	['notSent', 'getaddrinfo', 'ENOTFOUND EAI_AGAIN'],
	['answerLost', 'read', 'ETIMEDOUT ECONNRESET EHOSTUNREACH'],
	['answerLost', 'write', 'EPIPE EPROTO'],
	['answerLost', undefined, 'ECONNABORTED ERR_SOMETHING_NEW ERR_OSSL_BAD_DECRYPT'],
	['canceled', undefined, 'ERR_CANCELED'],
	['rejected', undefined, 'CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH'],
	['rejected', undefined, 'ERR_TLS_CERT_ALTNAME_INVALID DEPTH_ZERO_SELF_SIGNED_CERT'],
	['rejected', undefined, 'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
	['rejected', undefined, 'ERR_INVALID_URL'],
	// A handshake, which comes before the request, shares its codes with what breaks after it.
	['answerLost', undefined, 'ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_WRONG_VERSION_NUMBER'],
	['answerLost', undefined, 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
	['answerLost', undefined, 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'],
	['answerLost', undefined, 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
	['answerLost', undefined, 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE'],
])('%s while in %s: %s', (kind, syscall, codes) => {
	for (const code of codes.split(' '))
		expect([code, kindOf(wrapped(systemError(code, syscall)))]).toEqual([code, kind]);
});

test.each([
	...['IP address is blocked', 'The domain of the service has moved', 'Access is restricted'],
	...['This is not allowed', 'handshake failure', 'canceled', 'connect ECONNREFUSED'],
])('the words of an error decide nothing: %s', (message) => {
	const inner = Object.assign(new Error(message), { code: 'ECONNRESET', syscall: 'read' });
	const kinds = [new Error(message), wrapped(inner)].map(kindOf);
	expect(kinds).toEqual(['answerLost', 'answerLost']);
});

test('the class by which n8n marks its own rules decides, and each address that was tried', () => {
	expect(kindOf(wrapped(new UserError('Anything')))).toBe('rejected');
	const tried = [systemError('ETIMEDOUT', 'connect'), systemError('ECONNREFUSED', 'connect')];
	expect(kindOf(wrapped(new AggregateError(tried)))).toBe('notSent');
});

const round = new Error('round');
round.cause = round;

test.each([undefined, null, 'text', 17, {}, [], { cause: { cause: null } }, round])(
	'does not know whether anything was sent after %p',
	(thrown) => expect(kindOf(thrown)).toBe('answerLost'),
);

test('names Docker for an address of the own machine alone', () => {
	const adviceFor = (url: string) => networkError({ code: 'ECONNREFUSED' }, url).advice;
	for (const url of ['https://localhost', 'http://[::1]:3000'])
		expect(adviceFor(url)).toContain('In Docker');
	expect(adviceFor('https://api.service.example')).not.toContain('In Docker');
});

const asked = {
	url: 'https://api.service.example/v1/PaymentPages/Add',
	credential: 'paymentPagesPrivateKeyApi' as const,
	secrets: ['a-long-secret'],
};

test('a response is a success or a failure in few words, whatever it is', () => {
	const anyResponse = fc.record({
		statusCode: fc.oneof(fc.constantFrom(199, 200, 299, 300, 302, 404, 500, NaN), fc.integer()),
		text: fc.oneof(fc.constant('{"responseCode":"00"}'), fc.string({ unit: 'binary' }), fc.json()),
		headers: fc.dictionary(fc.constantFrom('content-type', 'retry-after'), fc.string()),
	});
	fc.assert(
		fc.property(anyResponse, (response) => {
			const { statusCode } = response;
			try {
				expect(parseResponse(response, asked).responseCode).toBe('00');
				expect(statusCode >= 200 && statusCode < 300).toBe(true);
			} catch (error) {
				expect(error).toBeInstanceOf(ServiceError);
				expect((error as ServiceError).message.length).toBeLessThan(500);
			}
		}),
		{ numRuns: 1000 },
	);
});

const [date, later] = ['Fri, 02 Jan 2026 03:04:15 GMT', 'Sat, 02 Jan 2027 03:04:00 GMT'];
const noTimes = ['', 'soon', '-5', '1.5', '5 seconds', 'Sun Nov  6 08:49:37 1994', 'NaN'];

test.each<[milliseconds: number | undefined, ...values: Array<string | undefined>]>([
	[0, '0', 'Fri, 02 Jan 2026 03:04:00 GMT'],
	[5000, ' 5 '],
	[60_000, '60', '61', '9'.repeat(400), later],
	[10_000, date, 'Friday, 02-Jan-26 03:04:15 GMT', 'Fri Jan  2 03:04:15 2026 GMT'],
	[undefined, undefined, ...noTimes],
])('a wait of %j milliseconds is what Retry-After %j asks for', (milliseconds, ...values) => {
	const read = values.map((value) => readRetryAfter(value, Date.parse('2026-01-02T03:04:05Z')));
	expect(read).toEqual(values.map(() => milliseconds));
});
