import { createHash, createHmac } from 'node:crypto';
import type { SigningSettings } from './settings';

/** Headers of a delivery; a list is sent as several headers of one name. */
export type DeliveryHeaders = Record<string, string | string[]>;

/** The HMAC of a content in the encoding that the settings ask for, without prefix. */
export function signature(settings: SigningSettings, secret: string, content: string): string {
	return createHmac(settings.algorithm, secret).update(content).digest(settings.encoding);
}

export function unixSeconds(time: Date): string {
	return Math.floor(time.getTime() / 1000).toString();
}

/**
 * The headers of standardwebhooks.com: the key is what base64 says after `whsec_` (any other secret
 * is its own bytes), and a message that is sent again keeps its ID.
 */
function standardWebhooks(secret: string, body: string, timestamp: string): DeliveryHeaders {
	const id = `msg_${createHash('sha256').update(body).digest('hex').slice(0, 24)}`;
	const [, encoded] = /^whsec_(.*)$/s.exec(secret) ?? [];
	const key = encoded === undefined ? secret : Buffer.from(encoded, 'base64');
	const proof = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
	return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${proof}` };
}

/** The headers that prove an event with the registration's secret, as the settings say. */
export function proofHeaders(
	settings: SigningSettings,
	secret: string,
	body: string,
	timestamp: string,
): DeliveryHeaders {
	const { mode, header, prefix, timestampHeader } = settings;
	if (mode === 'none') return {};
	if (mode === 'secretInHeader') return { [header]: prefix + secret };
	if (mode === 'standardWebhooks') return standardWebhooks(secret, body, timestamp);
	const isTimestamped = settings.signedContent === 'timestampDotBody';
	const content = isTimestamped ? `${timestamp}.${body}` : body;
	return {
		[header]: prefix + signature(settings, secret, content),
		...(isTimestamped ? { [timestampHeader]: timestamp } : {}),
	};
}
