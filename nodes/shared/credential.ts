import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { InvalidFieldError } from './errors';
import type { ExactNumber } from './exactJson';
import { isBlank, toWholeNumber, trimmed } from './values';

/** The key of page operations (docs/interface.md, "Authentication"). */
export const privateKeyCredential = 'paymentPagesPrivateKeyApi';

/** The key of webhook registration (docs/interface.md, "Authentication"). */
export const apiKeyCredential = 'paymentPagesApiKeyApi';

export type CredentialName = typeof privateKeyCredential | typeof apiKeyCredential;

/** A credential's fields, cleaned of what pasting leaves around them. */
export interface ServiceCredential {
	name: CredentialName;
	baseUrl: string;
	key: string;
	merchantId: ExactNumber;
	webhookSecret: string; // '' when the user gave none, and always for the private key
	allowUnauthorizedCerts: boolean; // whether the service may show any certificate
}

function cleanCredentialKey(name: CredentialName, data: ICredentialDataDecryptedObject): string {
	return name === privateKeyCredential
		? cleanKey("'Private Key'", data.privateKey)
		: cleanKey("'API Key'", data.apiKey);
}

/** Reads a credential as n8n hands it over; an InvalidFieldError names the field that can't be right. */
export function readCredential(
	name: CredentialName,
	data: ICredentialDataDecryptedObject,
): ServiceCredential {
	return {
		name,
		baseUrl: cleanBaseUrl(data.baseUrl),
		key: cleanCredentialKey(name, data),
		// What stands there by mistake may be a key.
		merchantId: toWholeNumber("'Merchant ID'", data.merchantId, false),
		webhookSecret: cleanWebhookSecret(data.webhookSecret),
		// Nothing but a plain true: this switch makes requests less safe.
		allowUnauthorizedCerts: data.allowUnauthorizedCerts === true,
	};
}

const controlCharacter = /[\u0000-\u001f\u007f]/; // in a header it would start a new line

/** Cleans a key that was pasted with blanks around it, and rejects what no header can carry. */
export function cleanKey(field: string, value: unknown): string {
	const key = typeof value === 'string' ? trimmed(value) : '';
	const reject = (problem: string, advice: string) => new InvalidFieldError(field, problem, advice);
	if (key === '') throw reject('is empty', 'Paste the key into the credential.');
	if (/\s/.test(key) || controlCharacter.test(key)) {
		const advice = 'Paste the key into the credential again, in one piece.';
		throw reject('has a space or a line break in the middle', advice);
	}
	if (/[^\u0020-\u00ff]/.test(key)) {
		const problem = 'has a character that no key has, such as a curly quote or a long dash';
		throw reject(problem, 'Copy the key directly from the service, not from a document or a chat.');
	}
	return key;
}

/** Cleans a webhook secret that was pasted with blanks around it; '' for an empty field. */
export function cleanWebhookSecret(value: unknown): string {
	if (isBlank(value)) return '';
	const secret = typeof value === 'string' ? trimmed(value) : '';
	// Shorter secrets can be tried out by anyone who sees one signed event.
	if (Array.from(secret).length < 8) {
		const advice =
			'Enter a longer one in the credential, or leave it empty: the Payment Page Trigger then derives a strong one from the API key.';
		const problem = 'must be text of at least 8 characters';
		throw new InvalidFieldError("'Webhook Secret'", problem, advice);
	}
	return secret;
}

/** The address that people look for in the service's documentation, and may paste as a whole. */
const createPath = /\/PaymentPages\/Add\/*$/i;

/** Brings a pasted base URL into one form: http or https, host, path without a slash at the end. */
export function cleanBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? trimmed(value) : '';
	const example =
		"Enter what stands before '/PaymentPages/Add' in the service's documentation, such as https://api.service.example/v1.";
	const reject = (problem: string, advice = example) =>
		new InvalidFieldError("'Base URL'", problem, advice);
	if (text === '') throw reject('is empty', 'Enter it in the credential.');
	if (!/^https?:\/\//i.test(text)) throw reject('must start with https:// (or http://)');
	if (/\s/.test(text) || controlCharacter.test(text) || !URL.canParse(text)) {
		throw reject('is not a complete URL');
	}
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		const advice = 'Remove everything before the @. The key has its own field.';
		throw reject('must not contain a user name or password', advice);
	}
	if (url.search !== '' || url.hash !== '') throw reject('must not contain "?" or "#"');
	return `${url.origin}${url.pathname.replace(createPath, '').replace(/\/+$/, '')}`;
}

export const baseUrlProperty: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://api.service.example/v1',
	description: "What stands before '/PaymentPages/Add' in the API documentation of your service",
};

export const merchantIdProperty: INodeProperties = {
	displayName: 'Merchant ID',
	name: 'merchantId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 1002003004005006007',
	description: 'The number that the service shows with your merchant',
};

export const allowUnauthorizedCertsProperty: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

/**
 * Adds the key as bearer token (docs/interface.md, "Authentication"). A function, not n8n's generic
 * expression: it cleans the key, and spares one evaluation for every request.
 */
export function authorize(
	name: CredentialName,
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const key = cleanCredentialKey(name, credentials);
	return { ...request, headers: { ...request.headers, Authorization: `Bearer ${key}` } };
}
