import { deriveListenMark } from '../shared/secrets';
import { equals } from './verification/equals';

/** The name under which the registered URL carries the token. */
export const tokenParameter = 'token';

/** The name under which the registered URL carries the mark of a test that listens. */
export const listenParameter = 'listen';

/** What the registered URL carries beyond the address, as the server parsed it. */
type Query = Record<string, unknown>;

/**
 * The service may add a slash at the end of the address (interface, "Register webhook URL"), and so
 * to the last parameter.
 */
function parameterOf(query: Query, name: string): unknown {
	const value = query[name];
	return typeof value === 'string' ? value.replace(/\/$/, '') : value;
}

/** The token that came with an event. */
export function urlTokenOf(query: Query): unknown {
	return parameterOf(query, tokenParameter);
}

/** Whether somebody who knows one of the secrets says that a test is listening. */
export function isMarkedAsListening(query: Query, secrets: readonly string[]): boolean {
	const mark = parameterOf(query, listenParameter);
	return (
		typeof mark === 'string' &&
		secrets.some((secret) => secret !== '' && equals(mark, deriveListenMark(secret)))
	);
}
