/** The name under which the registered URL carries the token. */
const parameter = 'token';

/**
 * Services change addresses: they add a slash, a second "?" or more parameters, encode or reorder
 * what is there (docs/interface.md, "Register webhook URL": the normalization rule is not shown). So the
 * token is found by its form, wherever it stands behind the path.
 */
const tokenPattern = /(?:[?&/ ]|%26|%2F)token(?:=|%3D)(?:\/|%2F)*([0-9a-f]{32})(?![0-9a-f])/i;

/** The registered URL of the automatic verification: the service sends the token along. */
export function withToken(url: string, token: string): string {
	return `${url}?${parameter}=${token}`;
}

/** @param originalUrl path and query as they came */
export function findToken(originalUrl: string): string | undefined {
	const start = originalUrl.indexOf('?');
	return start < 0 ? undefined : tokenPattern.exec(originalUrl.slice(start))?.[1]?.toLowerCase();
}

/**
 * What the service itself put into the query: without the token, in whatever form it arrived.
 *
 * @param token as `findToken` found it
 */
export function withoutToken(
	query: Record<string, unknown>,
	token: string | undefined,
): Record<string, unknown> {
	if (token === undefined) return query;
	const carriesToken = (entry: [string, unknown]) =>
		JSON.stringify(entry).toLowerCase().includes(token);
	return Object.fromEntries(Object.entries(query).filter((entry) => !carriesToken(entry)));
}
