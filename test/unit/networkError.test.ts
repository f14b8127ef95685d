import { NodeApiError, type JsonObject } from 'n8n-workflow';

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
	['ERR_SSL_UNSUPPORTED_PROTOCOL', undefined, 'rejected', /^Could not establish a secure conn/],
	[
		'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
		undefined,
		'rejected',
		/^Could not establish a secure conn/,
	],
	[
		'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
		undefined,
		'rejected',
		/^Could not establish a secure conn/,
	],
	[
		'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
		undefined,
		'rejected',
		/^Could not establish a secure conn/,
	],
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

test.each([
	['tls_validate_record_header:wrong version number', 'rejected'],
	['ssl3_read_bytes:ssl/tls alert handshake failure', 'rejected'],
	['ssl_choose_client_version:unsupported protocol', 'rejected'],
	['ssl3_read_bytes:tlsv1 alert protocol version', 'rejected'],
	['ssl3_read_bytes:tlsv1 unrecognized name', 'rejected'],
	['tls_get_more_records:decryption failed or bad record mac', 'answerLost'],
	['ssl3_read_bytes:tlsv1 alert internal error', 'answerLost'],
])('EPROTO with %s: %s', (reason, kind) => {
	const message = `write EPROTO 40FDA50CAB7F0000:error:0A000000:SSL routines:${reason}:../x.c:9:`;
	const inner = Object.assign(new Error(message), { code: 'EPROTO', syscall: 'write' });
	expect(networkError(wrapped(inner)).details.kind).toBe(kind);
});

test('takes the reason from the error that has the code, not from words around it', () => {
	const error = Object.assign(new Error('handshake failure', { cause: systemError('EPROTO') }));
	expect(networkError(error).details.kind).toBe('answerLost');
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

test('a connection that ends during the handshake', () => {
	const words = 'Client network socket disconnected before secure TLS connection was established';
	const error = Object.assign(new Error(words), { code: 'ECONNRESET' });
	expect(networkError(wrapped(error)).details.kind).toBe('notSent');
});

describe('a request through a proxy', () => {
	/** As n8n hands it over, with the request of Node.js. */
	function failed(inner: Error, socket: unknown): NodeApiError {
		const { code } = inner as { code?: string };
		const client = Object.assign(new Error('failed', { cause: inner }), {
			code,
			request: { socket },
		});
		return new NodeApiError(paymentPageNode, client as unknown as JsonObject);
	}

	test.each([
		new Error('Proxy connection ended before receiving CONNECT response'),
		systemError('ECONNRESET', 'read'),
		systemError('ECONNABORTED'),
		systemError('DEPTH_ZERO_SELF_SIGNED_CERT'),
		systemError('ERR_SOMETHING_NEW'),
	])('that never got a socket was not sent: %s', (inner) => {
		const error = networkError(failed(inner, null));
		expect(error.details.kind).toBe('notSent');
		expect(error.message).toBe("n8n's proxy did not open a connection to the service");
	});

	test.each([
		[systemError('ECONNRESET', 'read'), {}],
		[systemError('ECONNABORTED'), {}],
		// Other HTTP clients have requests without that property.
		[systemError('ECONNRESET', 'read'), undefined],
	])('%s with the socket %j may have been sent', (inner, socket) => {
		expect(networkError(failed(inner, socket)).details.kind).toBe('answerLost');
	});

	test('that was stopped before it got a socket is stopped', () => {
		const error = networkError(failed(systemError('ERR_CANCELED'), null));
		expect(error.details.kind).toBe('canceled');
	});

	test('that n8n forbids before it gets a socket is forbidden', () => {
		const error = networkError(failed(new Error('IP address is blocked'), null));
		expect(error.message).toBe('n8n does not allow a request to this URL');
	});

	test.each([
		['https://a.example/v1', { syscall: 'connect', port: 3128 }, true],
		['https://a.example/v1', { syscall: 'connect', port: 443 }, false],
		['http://a.example/v1', { syscall: 'connect', port: 443 }, true],
		['http://a.example/v1', { syscall: 'connect', port: 80 }, false],
		['http://a.example:8080', { syscall: 'connect', port: 8080 }, false],
		['https://a.example/v1', { syscall: 'connect' }, false],
		['https://a.example/v1', { syscall: 'getaddrinfo', hostname: 'proxy' }, true],
		['https://A.example/v1', { syscall: 'getaddrinfo', hostname: 'a.example' }, false],
		['https://a.example/v1', { syscall: 'getaddrinfo' }, false],
		['https://a.example/v1', { syscall: 'read', port: 3128 }, false],
	])('for %s, a failed %j went to a proxy: %s', (baseUrl, more, isProxy) => {
		const inner = Object.assign(systemError('ECONNREFUSED'), more);
		const { message } = networkError(wrapped(inner), baseUrl);
		expect(message === 'n8n cannot reach its proxy').toBe(isProxy);
	});
});
