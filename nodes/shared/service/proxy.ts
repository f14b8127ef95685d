import { isRecord } from '../fields/isRecord';
import type { ServiceResponse } from './api';
import { ServiceError } from './serviceError';
import { statusError } from './statusError';

/**
 * A forward proxy between n8n and the service can refuse a request in the service's place. What tells
 * them apart is the request of Node.js that n8n's HTTP client hands out with an answer or an error
 * (n8n facts, "Proxies"). Where it is missing, nothing is claimed.
 */

const settings =
	"HTTP_PROXY, HTTPS_PROXY and NO_PROXY of n8n, or 'Proxy' in the node's request options";
const nothingSent = 'Nothing was sent to the service.';

/** Who wrote a response, as far as its request tells. */
export function senderOf(request: unknown, statusCode: number): ServiceResponse['sender'] {
	const isLogin = statusCode === 407;
	if (!isRecord(request) || !isRecord(request.socket)) return isLogin ? 'proxy' : undefined;
	// What came through TLS was written at the service, by a proxy of its own perhaps.
	if (request.protocol === 'https:' && request.socket.encrypted === true) return undefined;
	if (isLogin) return 'proxy';
	// A tunnel that the proxy refuses: n8n's agent hands on the proxy's response, on a socket without TLS.
	if (request.protocol === 'https:') return 'proxy';
	// A request to a proxy names the whole address (RFC 9112, 3.2.2).
	const isForwarded = typeof request.path === 'string' && request.path.startsWith('http://');
	return isForwarded ? 'proxyOrService' : undefined;
}

/** None of it reached the service. */
function refusal(statusCode: number): ServiceError {
	if (statusCode === 407) {
		return new ServiceError(
			"n8n's proxy requires a user name and a password (HTTP 407)",
			`${nothingSent} Add them to the URL of the proxy (${settings}).`,
			{ kind: 'rejected' },
		);
	}
	return statusCode < 500
		? new ServiceError(
				`n8n's proxy refused the connection to the service (HTTP ${statusCode})`,
				`${nothingSent} Allow the host of the Base URL in the proxy, or check the settings of the proxy (${settings}).`,
				{ kind: 'rejected' },
			)
		: new ServiceError(
				`n8n's proxy could not connect to the service (HTTP ${statusCode})`,
				`${nothingSent} Check the Base URL in the credential and the settings of the proxy (${settings}).`,
				{ kind: 'notSent' },
			);
}

/** With plain HTTP, a proxy may have written the page before or after the service acted, or not at all. */
function errorPage(response: ServiceResponse): ServiceError {
	const { kind, retryAfter } = statusError(response, {}).details;
	const may = kind === 'answerLost' ? ' The request may still have been processed.' : '';
	return new ServiceError(
		`n8n's proxy, or the service behind it, rejected the request (HTTP ${response.statusCode})`,
		`Check the Base URL in the credential and the settings of the proxy (${settings}).${may}`,
		{ kind, ...(retryAfter === undefined ? {} : { retryAfter }) },
	);
}

/** @returns undefined for an answer of the service */
export function proxyErrorOf(response: ServiceResponse): ServiceError | undefined {
	const { sender, statusCode, text } = response;
	if (sender === 'proxy') return refusal(statusCode);
	const isPage = !text.trimStart().startsWith('{') && (statusCode === 403 || statusCode >= 500);
	return sender === 'proxyOrService' && isPage ? errorPage(response) : undefined;
}

/** Whether a connection failed that did not go to the service. */
function isElsewhere({ syscall, port, hostname }: Record<string, unknown>, service: URL): boolean {
	const servicePort = Number(service.port) || (service.protocol === 'https:' ? 443 : 80);
	if (syscall === 'connect') return port !== undefined && port !== servicePort;
	return syscall === 'getaddrinfo' && hostname !== undefined && hostname !== service.hostname;
}

/**
 * The error for a proxy that opened no connection; undefined when that is not certain. n8n's agents for
 * proxies give a request its socket when the proxy has opened one, all other agents give it at once.
 */
export function noTunnelError(
	errors: Array<Record<string, unknown>>,
	baseUrl: string | undefined,
): ServiceError | undefined {
	const service = baseUrl === undefined ? undefined : new URL(baseUrl);
	const isOutOfReach = service !== undefined && errors.some((error) => isElsewhere(error, service));
	const hasNoSocket = errors.some(({ request }) => isRecord(request) && request.socket === null);
	if (!isOutOfReach && !hasNoSocket) return undefined;
	return new ServiceError(
		isOutOfReach
			? 'n8n cannot reach its proxy'
			: "n8n's proxy did not open a connection to the service",
		`${nothingSent} Check the settings of the proxy (${settings}).`,
		{ kind: 'notSent' },
	);
}
