const longestText = 300;

/** A shorter secret could stand in ordinary words, or be part of the JSON itself. */
const shortestHidden = 8;

/**
 * Replaces every secret in a text by asterisks: the service may echo the key or the webhook secret
 * in its answer, from where it would reach errors, outputs and the execution's record.
 */
export function hideSecrets(text: string, secrets: string[]): string {
	return secrets
		.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
		.filter((secret) => secret.length >= shortestHidden)
		.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

/**
 * The service's words, fit to be shown: one line, bounded. They are untrusted text.
 *
 * @returns '' when there are none
 */
export function serviceText(value: unknown): string {
	if (typeof value !== 'string') return '';
	const oneLine = value.replace(/[\s\p{Control}]+/gu, ' ').trim();
	const characters = Array.from(oneLine);
	if (characters.length <= longestText) return oneLine;
	return `${characters.slice(0, longestText).join('')}…`;
}
