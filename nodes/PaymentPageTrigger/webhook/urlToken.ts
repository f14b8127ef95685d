/** The name under which the registered URL carries the token. */
export const tokenParameter = 'token';

/**
 * The token that came with an event, as the server parsed it. The service may add a slash at the end
 * of the address (interface, "Register webhook URL"), and so to the token.
 */
export function urlTokenOf(query: Record<string, unknown>): unknown {
	const token = query[tokenParameter];
	return typeof token === 'string' ? token.replace(/\/$/, '') : token;
}
