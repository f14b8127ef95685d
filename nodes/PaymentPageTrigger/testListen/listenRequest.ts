import { createHmac } from 'crypto';

import { deriveListenKey, type WebhookKeys } from '../secrets';
import { findToken } from '../urlToken';
import { equals } from '../verification/equals';

/** The header in which a test asks the published trigger to share its events. */
export const listenHeader = 'x-payment-pages-listen';

/** What the published trigger says to it: that it shares, or why it cannot. */
export type ListenAnswer = 'shares' | 'otherSecret' | 'unreachable';

/** A request of somebody who may know the secret. */
export interface ListenRequest {
	/** Milliseconds since 1970. */
	until: number;
	signature: string;
	/** Opens the sealed secret of the registration. */
	token: string | undefined;
}

function sign(secret: string, until: number): string {
	return createHmac('sha256', deriveListenKey(secret))
		.update(`listen until ${until}`)
		.digest('hex');
}

/** The value of the header. */
export function formatListenRequest({ secret, token }: WebhookKeys, until: number): string {
	return `until=${until} signature=${sign(secret, until)} token=${token}`;
}

const pattern = /^until=(\d{13}) signature=([0-9a-f]{64}) /;

/** @returns undefined for a header of another form */
export function parseListenRequest(header: unknown): ListenRequest | undefined {
	if (typeof header !== 'string') return undefined;
	const [, until, signature] = pattern.exec(header) ?? [];
	if (until === undefined || signature === undefined) return undefined;
	return { until: Number(until), signature, token: findToken(`?${header}`) };
}

/** Whether it was made with one of the keys. */
export function isSignedWith(
	{ until, signature }: ListenRequest,
	keys: readonly WebhookKeys[],
): boolean {
	return keys.some(({ secret }) => secret !== '' && equals(signature, sign(secret, until)));
}
