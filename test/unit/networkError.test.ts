import { NodeApiError } from 'n8n-workflow';
import type { INode, JsonObject } from 'n8n-workflow';

import { networkError } from '../../nodes/shared/networkError';

/**
 * The errors that cannot be built for real in a test of seconds; the others are in
 * `test/engine/networkErrors.test.ts`.
 */
const node: INode = {
	id: '1',
	name: 'Payment Page',
	type: 'paymentPage',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function systemError(code: string, syscall?: string): Error {
	return Object.assign(new Error(`${syscall ?? ''} ${code}`), { code, syscall });
}

/** As n8n hands it over: the HTTP client's error around the system's, and n8n's around that. */
function wrapped(inner: unknown): NodeApiError {
	const code = (inner as { code?: string }).code;
	const client = Object.assign(new Error('request failed', { cause: inner }), { code });
	return new NodeApiError(node, client as unknown as JsonObject);
}

test.each([
	[
		'ECONNREFUSED',
		'connect',
		'notSent',
		'Nothing accepts connections at the address of the service',
	],
	['ENOTFOUND', 'getaddrinfo', 'notSent', 'The host in the address of the service does not exist'],
	['EAI_AGAIN', 'getaddrinfo', 'notSent', /cannot be looked up at the moment$/],
	['EHOSTUNREACH', 'connect', 'notSent', 'The service cannot be reached'],
	['ETIMEDOUT', 'connect', 'notSent', 'The service cannot be reached'],
	['EADDRNOTAVAIL', 'connect', 'notSent', 'The service cannot be reached'],
	['ECONNRESET', 'connect', 'notSent', 'The service cannot be reached'],
	['ETIMEDOUT', 'read', 'answerLost', 'The service did not answer in time'],
	['ECONNABORTED', undefined, 'answerLost', 'The service did not answer in time'],
	['ECONNRESET', 'read', 'answerLost', /^The connection to the service broke/],
	['EPIPE', 'write', 'answerLost', /^The connection to the service broke/],
	['ERR_SOMETHING_NEW', undefined, 'answerLost', /^The connection to the service broke/],
	['ERR_CANCELED', undefined, 'cancelled', /canceled/],
	['CERT_HAS_EXPIRED', undefined, 'refused', /^No secure connection/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, 'refused', /^No secure connection/],
	['ERR_TLS_CERT_ALTNAME_INVALID', undefined, 'refused', /^No secure connection/],
	['EPROTO', 'write', 'refused', /^No secure connection/],
] as const)('%s while in %s: %s', (code, syscall, kind, message) => {
	const error = networkError(wrapped(systemError(code, syscall)));
	expect(error.details.kind).toBe(kind);
	if (typeof message === 'string') expect(error.message).toBe(message);
	else expect(error.message).toMatch(message);
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
