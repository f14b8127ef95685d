import { isRecord } from '../values';

const maxTextLength = 300;

const asterisks = '***';

/** A shorter secret could be part of ordinary words, and is hidden where it stands alone. */
const minPartLength = 8;

function hideInText(text: string, secrets: string[]): string {
	if (text !== '' && secrets.includes(text)) return asterisks;
	return secrets
		.filter((secret) => secret.length >= minPartLength)
		.reduce((shown, secret) => shown.replaceAll(secret, asterisks), text);
}

/**
 * Replaces every secret in an answer by asterisks: the service may echo the key or the webhook
 * secret, from where it would reach errors, outputs and the execution's record. It works on the
 * values, not on the JSON, which can write one text in several ways (`+` as `\u002B`, say).
 */
export function hideSecrets(value: unknown, secrets: string[]): unknown {
	if (typeof value === 'string') return hideInText(value, secrets);
	if (Array.isArray(value)) return value.map((item: unknown) => hideSecrets(item, secrets));
	if (!isRecord(value)) return value;
	const members = Object.entries(value).map(([name, member]) => [
		hideInText(name, secrets),
		hideSecrets(member, secrets),
	]);
	return Object.fromEntries(members) as unknown;
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
	if (characters.length <= maxTextLength) return oneLine;
	return `${characters.slice(0, maxTextLength).join('')}…`;
}
