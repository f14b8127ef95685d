import { proxyErrorOf, senderOf } from '../../nodes/shared/service/failures';

const page = '<html></html>';

test.each([
	['https:', { encrypted: true }, '/v1/x', undefined],
	['https:', {}, '/v1/x', 'proxy'],
	['http:', {}, '/v1/x', undefined],
	['http:', {}, 'http://a.example/v1/x', 'proxyOrService'],
	['http:', {}, '/http://a.example', undefined],
	// Without a socket nothing is known.
	['https:', null, '/v1/x', undefined],
	[undefined, {}, undefined, undefined],
])('%j with the socket %j and the path %j: %s', (protocol, socket, path, sender) => {
	expect(senderOf({ protocol, socket, path }, 502)).toBe(sender);
	// Only what came through TLS is surely not from n8n's proxy.
	const isSecure = protocol === 'https:' && socket !== null && 'encrypted' in socket;
	expect(senderOf({ protocol, socket, path }, 407)).toBe(isSecure ? undefined : 'proxy');
});

test.each([undefined, null, 'text', {}, []])('the request %j tells nothing', (request) => {
	expect(senderOf(request, 403)).toBeUndefined();
	expect(senderOf(request, 407)).toBe('proxy');
});

/** Nothing must be taken for not sent that may have been. */
test.each([
	['proxy', 403, page, 'rejected'],
	['proxy', 407, page, 'rejected'],
	['proxy', 502, page, 'notSent'],
	['proxy', 502, '{"responseCode":"99"}', 'notSent'],
	['proxyOrService', 403, page, 'rejected'],
	['proxyOrService', 502, page, 'answerLost'],
	['proxyOrService', 503, '', 'answerLost'],
	['proxyOrService', 504, page, 'answerLost'],
	['proxyOrService', 502, ' {"responseCode":"99"}', undefined],
	['proxyOrService', 404, page, undefined],
	['proxyOrService', 200, page, undefined],
	[undefined, 403, page, undefined],
	[undefined, 502, page, undefined],
] as const)('of %s, %d with %j: %s', (sender, statusCode, text, kind) => {
	const answer = { statusCode, text, headers: {}, ...(sender === undefined ? {} : { sender }) };
	const error = proxyErrorOf(answer);
	expect(error?.details.kind).toBe(kind);
	// A status would be taken for the service's.
	expect(error?.details.statusCode).toBeUndefined();
});
