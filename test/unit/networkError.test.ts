import { NodeApiError, UserError, type JsonObject } from 'n8n-workflow';

import { networkError } from '../../nodes/shared/service/failures';
import { paymentPageNode } from './paymentPageNode';

/**
 * The errors that cannot be built for real in a test of seconds; the others are in
 * `test/engine/networkErrors.test.ts`.
 */

function systemError(code: string, syscall?: string): Error {
	return Object.assign(new Error(`${syscall ?? ''} ${code}`), { code, syscall });
}

/** As n8n hands it over: the HTTP client's error around the system's, and n8n's around that. */
function wrapped(inner: unknown): NodeApiError {
	const code = (inner as { code?: string }).code;
	const client = Object.assign(new Error('request failed', { cause: inner }), { code });
	return new NodeApiError(paymentPageNode, client as unknown as JsonObject);
}

test.each([
	['ECONNREFUSED', 'connect', 'notSent', 'Nothing accepts connections at the Base URL'],
	['ENOTFOUND', 'getaddrinfo', 'notSent', 'The host in the Base URL does not exist'],
	['EAI_AGAIN', 'getaddrinfo', 'notSent', /cannot be looked up at the moment$/],
	['EHOSTUNREACH', 'read', 'answerLost', /^The connection to the service was lost/],
	['EHOSTUNREACH', 'connect', 'notSent', 'The service cannot be reached'],
	['ETIMEDOUT', 'connect', 'notSent', 'The service cannot be reached'],
	['EADDRNOTAVAIL', 'connect', 'notSent', 'The service cannot be reached'],
	['ECONNRESET', 'connect', 'notSent', 'The service cannot be reached'],
	['ETIMEDOUT', 'read', 'answerLost', 'The service did not respond in time'],
	['ECONNABORTED', undefined, 'answerLost', 'The service did not respond in time'],
	['ECONNRESET', 'read', 'answerLost', /^The connection to the service was lost/],
	['EPIPE', 'write', 'answerLost', /^The connection to the service was lost/],
	['ERR_SOMETHING_NEW', undefined, 'answerLost', /^The connection to the service was lost/],
	['ERR_CANCELED', undefined, 'canceled', /canceled/],
	['CERT_HAS_EXPIRED', undefined, 'rejected', /^The certificate of the service/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, 'rejected', /^The certificate of the service/],
	['ERR_TLS_CERT_ALTNAME_INVALID', undefined, 'rejected', /^The certificate of the service/],
	['DEPTH_ZERO_SELF_SIGNED_CERT', undefined, 'rejected', /^The certificate of the service/],
	['SELF_SIGNED_CERT_IN_CHAIN', undefined, 'rejected', /^The certificate of the service/],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', undefined, 'rejected', /^The certificate of the service/],
	['HOSTNAME_MISMATCH', undefined, 'rejected', /^The certificate of the service/],
	// A handshake, which comes before the request, shares its codes with what breaks after it.
	['ERR_SSL_UNSUPPORTED_PROTOCOL', undefined, 'answerLost', /^The secure connection/],
	['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', undefined, 'answerLost', /^The secure connection/],
	['EPROTO', 'write', 'answerLost', /^The secure connection to the service \(TLS\) failed$/],
	['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', undefined, 'answerLost', /^The secure conn/],
	['ERR_SSL_CIPHER_OPERATION_FAILED', undefined, 'answerLost', /^The secure connection/],
	['ERR_SSL_BAD_RECORD_TYPE', undefined, 'answerLost', /^The secure connection/],
	['ERR_SSL_WRONG_VERSION_NUMBER', undefined, 'answerLost', /^The secure connection/],
	['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', undefined, 'answerLost', /^The secure connection/],
	['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', undefined, 'answerLost', /^The secure connection/],
	['ERR_OSSL_BAD_DECRYPT', undefined, 'answerLost', /^The secure connection/],
] as const)('%s while in %s: %s', (code, syscall, kind, message) => {
	const error = networkError(wrapped(systemError(code, syscall)));
	expect(error.details.kind).toBe(kind);
	if (typeof message === 'string') expect(error.message).toBe(message);
	else expect(error.message).toMatch(message);
});

describe('the words of an error decide nothing', () => {
	test.each([
		'IP address is blocked',
		'The domain of the service has moved',
		'Access is restricted',
		'This is not allowed',
		'handshake failure',
		'Client network socket disconnected before secure TLS connection was established',
		'canceled',
		'connect ECONNREFUSED',
	])('%s', (message) => {
		expect(networkError(new Error(message)).details.kind).toBe('answerLost');
		const inner = Object.assign(new Error(message), { code: 'ECONNRESET', syscall: 'read' });
		expect(networkError(wrapped(inner)).details.kind).toBe('answerLost');
	});

	test('but the class by which n8n marks its own rules', () => {
		const error = networkError(wrapped(new UserError('Anything')));
		expect(error.message).toBe('n8n does not allow a request to this URL');
		expect(error.details.kind).toBe('rejected');
	});
});

test('looks at each of several addresses that were tried', () => {
	const several = new AggregateError([
		systemError('ETIMEDOUT', 'connect'),
		systemError('ECONNREFUSED', 'connect'),
	]);
	const error = networkError(wrapped(several));
	expect(error.details.kind).toBe('notSent');
});

test.each([undefined, null, 'text', 17, {}, new Error('?'), [], { cause: { cause: null } }])(
	'does not know whether anything was sent after %p',
	(thrown) => {
		expect(networkError(thrown).details.kind).toBe('answerLost');
	},
);

test('ends also where an error is its own cause', () => {
	const error = new Error('round');
	error.cause = error;
	expect(networkError(error).details.kind).toBe('answerLost');
});

test('keeps nothing of the original', () => {
	const inner = Object.assign(systemError('ECONNRESET', 'read'), {
		config: { headers: { Authorization: 'Bearer canary' } },
	});
	const error = networkError(wrapped(inner));
	expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain('canary');
});

test.each([
	['http://127.0.0.1:3000/api', true],
	['https://localhost', true],
	['http://[::1]:3000', true],
	['https://api.service.example', false],
])('names Docker for an address of the own machine: %s', (baseUrl, expected) => {
	const { advice } = networkError(wrapped(systemError('ECONNREFUSED', 'connect')), baseUrl);
	expect(advice.includes('In Docker')).toBe(expected);
});
