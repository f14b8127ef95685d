import { randomBytes } from 'node:crypto';
import type { SandboxContext } from './context';
import type { DeliveryOrder } from './deliveries';
import { forgedBody, forgeries, type ForgeryKind } from './forgeries';
import { NotPossible } from './notPossible';
import { unixSeconds } from './signing';

export interface ForgeOptions {
	/** Reference that the event speaks of; need not exist. */
	reference?: string;
	/**
	 * Leaves the registered URL's token in place, to test a receiver that trusts signatures alone.
	 * By default it is dropped. Forgeries of the token itself always replace it.
	 */
	keepToken?: boolean;
	/** The token of `tokenOfAnotherMerchant`; a random one when not given. */
	token?: string;
}

/** The registered URL with other tokens in its query; none leaves the parameter out. */
function withTokens(url: string, tokens: string[]): string {
	const address = new URL(url);
	address.searchParams.delete('token');
	for (const token of tokens) address.searchParams.append('token', token);
	return address.href;
}

/** The order to send a forged event to the registered webhook, once. */
export function forgeryOrder(
	context: SandboxContext,
	kind: ForgeryKind,
	options: ForgeOptions = {},
): DeliveryOrder {
	const { registration } = context.state;
	if (!registration)
		throw new NotPossible('No webhook is registered, so nothing can receive the event.');
	const { signing, merchantId } = context.settings;
	const { webhookUrl, secret } = registration;
	const token = new URL(webhookUrl).searchParams.get('token') ?? '';
	const randomToken = randomBytes(Math.ceil(token.length / 2) || 16).toString('hex');
	const body = forgedBody(merchantId, options.reference ?? 'forged');
	const spoiled = forgeries[kind].spoil({
		signing: signing.mode === 'none' ? { ...signing, mode: 'hmac' } : signing,
		secret,
		body,
		timestamp: Number(unixSeconds(new Date())),
		token,
		otherToken: options.token ?? (randomToken.slice(0, token.length) || randomToken),
	});
	const keepsUrl = options.keepToken === true && spoiled.tokens === undefined;
	return {
		kind: 'forgery',
		forgery: kind,
		url: keepsUrl ? webhookUrl : withTokens(webhookUrl, spoiled.tokens ?? []),
		body: spoiled.body ?? body,
		headers: () => spoiled.headers ?? {},
		maximumTries: 1,
	};
}
