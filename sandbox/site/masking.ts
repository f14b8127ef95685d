/** The beginning of a secret, enough to tell two apart. */
export function maskedSecret(secret: string): string {
	return secret === '' ? '(empty)' : `${secret.slice(0, Math.min(4, secret.length / 4))}…`;
}

/** An address without the values of its query, which may be secret tokens. */
export function maskedQuery(url: string): string {
	return url.replace(/([?&][^=&#]*=)[^&#]*/g, '$1…');
}
