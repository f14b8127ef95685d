import { createHmac } from 'node:crypto';
import type { SigningSettings } from './settings';

/** Headers of a delivery; a list is sent as several headers of one name. */
export type DeliveryHeaders = Record<string, string | string[]>;

/** The HMAC of a content in the encoding that the settings ask for, without prefix. */
export function signature(settings: SigningSettings, secret: string, content: Buffer): string {
	return createHmac(settings.algorithm, secret).update(content).digest(settings.encoding);
}

/** What is signed for a body that is sent at a time (text of unix seconds). */
function signedContent(settings: SigningSettings, body: string, timestamp: string): Buffer {
	return Buffer.from(settings.signedContent === 'body' ? body : `${timestamp}.${body}`);
}

export function unixSeconds(time: Date): string {
	return Math.floor(time.getTime() / 1000).toString();
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
	const content = signedContent(settings, body, timestamp);
	return {
		[header]: prefix + signature(settings, secret, content),
		...(settings.signedContent === 'timestampDotBody' ? { [timestampHeader]: timestamp } : {}),
	};
}
