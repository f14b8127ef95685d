import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'crypto';

/** What only n8n and the service know: whoever shows one of them proves to be the service. */
export interface WebhookKeys {
	/** The secret that was registered; signatures are made with it. */
	secret: string;
	/** The token in the registered URL. */
	token: string;
}

/** One purpose, one label: so that what is shown of one value says nothing about another. */
function derive(key: string, purpose: string): string {
	return createHmac('sha256', key).update(`n8n-nodes-payment-pages ${purpose}`).digest('hex');
}

/**
 * The webhook secret of a merchant who chose none: from the API key, so that it is the same in a
 * test, in production and after a restart.
 */
export function deriveWebhookSecret(apiKey: string): string {
	return derive(apiKey, 'webhook secret');
}

/**
 * The token in the registered URL: it proves the sender even if the service signs nothing. It comes
 * from the API key, too, because proxies log addresses: a weak secret cannot be guessed from it.
 */
export function deriveUrlToken(apiKey: string, secret: string): string {
	return derive(derive(apiKey, 'url token key'), `url token ${secret}`).slice(0, 32);
}

/** Signs what a test asks: nothing that is signed with it passes for an event. */
export function deriveListenKey(secret: string): string {
	return derive(secret, 'listen key');
}

/** Tells whether two secrets of one API key are the same, without telling either. */
export function fingerprintOf(secret: string, apiKey: string): string {
	return derive(derive(apiKey, 'fingerprint key'), `fingerprint ${secret}`).slice(0, 32);
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

function sealingKey(urlToken: string): Buffer {
	return Buffer.from(hkdfSync('sha256', urlToken, '', 'n8n-nodes-payment-pages seal', 32));
}

/**
 * Encrypts a secret for the node's static data, which n8n copies into the record of every execution
 * and into `n8n export:workflow`. The key is the token of the registered URL: n8n does not keep it,
 * and the service brings it along with each event.
 */
export function seal({ secret, token }: WebhookKeys): string {
	const nonce = randomBytes(nonceBytes);
	const cipher = createCipheriv(algorithm, sealingKey(token), nonce);
	const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/**
 * A seal that opens proves the token, too.
 *
 * @returns undefined when the token is another one, or the text was changed
 */
export function unseal(sealed: string, token: string): WebhookKeys | undefined {
	const bytes = Buffer.from(sealed, 'base64');
	const tagEnd = nonceBytes + tagBytes;
	if (bytes.length < tagEnd) return undefined;
	const nonce = bytes.subarray(0, nonceBytes);
	const decipher = createDecipheriv(algorithm, sealingKey(token), nonce);
	decipher.setAuthTag(bytes.subarray(nonceBytes, tagEnd));
	try {
		const secret =
			decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
		return { secret, token };
	} catch {
		return undefined; // The seal does not hold: for the caller, there is no secret.
	}
}
