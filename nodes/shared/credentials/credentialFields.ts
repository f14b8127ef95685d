import { trimmed } from '../fields/blanks';
import { isBlank } from '../fields/fieldValues';
import { InvalidFieldError } from '../fields/invalidFieldError';

/** Control characters can be in no key and no address; in a header they would start a new line. */
// The escape keeps the range readable: U+0000 to U+001F, and U+007F.
const controlCharacter = /[\u0000-\u001f\u007f]/;
const beyondLatin1 = /[^\u0020-\u00ff]/;

/**
 * Cleans a key that was pasted with blanks or line ends around it.
 *
 * @throws InvalidFieldError when it is empty, or when something is inside it that no header can carry
 */
export function cleanKey(field: string, value: unknown): string {
	const key = typeof value === 'string' ? trimmed(value) : '';
	if (key === '') {
		throw new InvalidFieldError(field, 'is empty', 'Paste the key into the credential.');
	}
	if (/\s/.test(key) || controlCharacter.test(key)) {
		throw new InvalidFieldError(
			field,
			'has a space or a line break in the middle',
			'Paste the key into the credential again, in one piece.',
		);
	}
	if (beyondLatin1.test(key)) {
		throw new InvalidFieldError(
			field,
			'has a character that no key has, such as a curly quote or a long dash',
			'Copy the key directly from the service, not from a document or a chat.',
		);
	}
	return key;
}

/** Characters. Whoever sees one signed event can try out all secrets that are shorter. */
const minSecretLength = 8;

/**
 * Cleans a webhook secret that was pasted with blanks or line ends around it.
 *
 * @returns '' when there is none
 * @throws InvalidFieldError when it is no text, or so short that it can be guessed
 */
export function cleanWebhookSecret(value: unknown): string {
	if (isBlank(value)) return '';
	const secret = typeof value === 'string' ? trimmed(value) : '';
	if (Array.from(secret).length < minSecretLength) {
		throw new InvalidFieldError(
			'Webhook Secret',
			`must be text of at least ${minSecretLength} characters`,
			'Enter a longer one in the credential, or leave it empty: the Payment Page Trigger then derives a strong one from the API key.',
		);
	}
	return secret;
}

/**
 * Brings a pasted base URL into the one form the nodes use: http or https, host, path without a
 * slash at the end.
 *
 * @throws InvalidFieldError when it is no http(s) address, or carries a user name, a query or a
 *   fragment, which belong to no address of an API
 */
export function cleanBaseUrl(value: unknown): string {
	const field = 'Base URL';
	const text = typeof value === 'string' ? trimmed(value) : '';
	if (text === '') {
		throw new InvalidFieldError(field, 'is empty', 'Enter the URL of the API in the credential.');
	}
	const advice = 'Enter the URL of the API with its path, such as https://api.service.example/v1.';
	if (!/^https?:\/\//i.test(text)) {
		throw new InvalidFieldError(field, 'must start with https:// (or http://)', advice);
	}
	if (/\s/.test(text) || controlCharacter.test(text) || !URL.canParse(text)) {
		throw new InvalidFieldError(field, 'is not a complete URL', advice);
	}
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		throw new InvalidFieldError(
			field,
			'must not contain a user name or password',
			'Remove everything before the @. The key has its own field.',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw new InvalidFieldError(field, 'must not contain "?" or "#"', advice);
	}
	return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
