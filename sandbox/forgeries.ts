import { randomBytes, randomUUID } from 'node:crypto';
import type { DeliveryOrder } from './deliveries';
import { toExactJson, wholeNumber } from './exactJson';
import type { SandboxSettings, SigningSettings } from './settings';
import { type DeliveryHeaders, proofHeaders, signature, unixSeconds } from './signing';
import type { Registration } from './state';

/** What a forgery starts from: an event that would be accepted, and the means to spoil it. */
interface Genuine {
	/** The settings, with `hmac` in place of `none` so that there is a signature to spoil. */
	signing: SigningSettings;
	secret: string;
	body: string;
	/** The right signature of the body, as the settings encode it. */
	right: string;
	/** Two wrong signatures of the same form. */
	wrong: [string, string];
	/** The token in the registered URL's query; empty when there is none. */
	token: string;
	/** A token that belongs to somebody else, of the same length. */
	otherToken: string;
	/** The signature header alone, with any value. */
	header(value: string | string[]): Spoiled;
	/** Headers of a signature over `<timestamp>.<body>`, whatever the settings sign. */
	timestamped(timestamp: string): DeliveryHeaders;
}

interface Spoiled {
	headers?: DeliveryHeaders;
	body?: string;
	/** Tokens to put into the query, in place of the registered one. */
	tokens?: string[];
}

interface Forgery {
	description: string;
	/**
	 * Whether a receiver must answer 401. Where it is false the event carries a right proof in an odd
	 * form, so both accepting and rejecting are sound, and only a crash (5xx) is wrong.
	 */
	mustBeRefused: boolean;
	spoil(genuine: Genuine): Spoiled;
}

function refused(description: string, spoil: Forgery['spoil']): Forgery {
	return { description, mustBeRefused: true, spoil };
}

function eitherWay(description: string, spoil: Forgery['spoil']): Forgery {
	return { description, mustBeRefused: false, spoil };
}

/** Longer than a service may go on sending an event again, and than any receiver should accept. */
const eightDays = 8 * 24 * 60 * 60 * 1000;
const daysAgo = (): string => unixSeconds(new Date(Date.now() - eightDays));
const daysAhead = (): string => unixSeconds(new Date(Date.now() + eightDays));

export const forgeries = {
	unsigned: refused('no signature and no token', () => ({})),
	wrongSecret: refused('signed with another secret', ({ signing, secret, body }) => ({
		headers: proofHeaders(signing, `x${secret}`, body, unixSeconds(new Date())),
	})),
	emptySecret: refused('signed with an empty secret', ({ signing, body, header }) =>
		header(signature(signing, '', body)),
	),
	secretPrefix: refused('the first half of the secret in the header', ({ secret, header }) =>
		header(secret.slice(0, secret.length / 2)),
	),
	signatureOfAnotherBody: refused('signature over another body', ({ signing, secret, header }) =>
		header(signature(signing, secret, '{}')),
	),
	replacedBody: refused('another amount under the old signature', ({ right, body, header }) => ({
		...header(right),
		body: body.replace('"amount":1,', '"amount":1000000,'),
	})),
	signatureCut: refused('first half of the right signature', ({ right, header }) =>
		header(right.slice(0, right.length / 2)),
	),
	signatureTooLong: refused('right signature with 4,000 more characters', ({ right, header }) =>
		header(right + 'a'.repeat(4000)),
	),
	signatureEmpty: refused('empty signature header', ({ header }) => header('')),
	signatureNotAscii: refused('signature of letters with accents', ({ right, header }) =>
		header('é'.repeat(right.length)),
	),
	twoWrongSignatures: refused('two signature headers, both wrong', ({ wrong, header }) =>
		header(wrong),
	),
	timestampInPast: refused('rightly signed eight days ago', ({ timestamped }) => ({
		headers: timestamped(daysAgo()),
	})),
	timestampInFuture: refused('rightly signed for eight days from now', ({ timestamped }) => ({
		headers: timestamped(daysAhead()),
	})),
	timestampNotANumber: refused('rightly signed with "abc" as timestamp', ({ timestamped }) => ({
		headers: timestamped('abc'),
	})),
	timestampReplaced: refused(
		'an old signature under a fresh timestamp',
		({ signing, timestamped }) => ({
			headers: { ...timestamped(daysAgo()), [signing.timestampHeader]: unixSeconds(new Date()) },
		}),
	),
	tokenCut: refused('token without its last character', ({ token }) => ({
		tokens: [token.slice(0, -1)],
	})),
	tokenEmpty: refused('empty token', () => ({ tokens: [''] })),
	tokenOfAnotherMerchant: refused('token of another merchant', ({ otherToken }) => ({
		tokens: [otherToken],
	})),
	twoWrongTokens: refused('two tokens, both wrong', ({ token, otherToken }) => ({
		tokens: [otherToken, token.slice(1)],
	})),
	signatureUpperCase: eitherWay('right signature in upper case', ({ right, header }) =>
		header(right.toUpperCase()),
	),
	signatureLowerCase: eitherWay('right signature in lower case', ({ right, header }) =>
		header(right.toLowerCase()),
	),
	wrongAndRightSignature: eitherWay(
		'two signature headers, the second one right',
		({ right, wrong, header }) => header([wrong[0], right]),
	),
} satisfies Record<string, Forgery>;

export type ForgeryKind = keyof typeof forgeries;
export const forgeryKinds = Object.keys(forgeries) as ForgeryKind[];

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

/** An event about a payment that never was. */
function forgedBody(merchantId: string, reference: string): string {
	return toExactJson({
		event: 'payment.completed',
		eventId: randomUUID(),
		paymentId: `forged-${randomUUID()}`,
		merchantId: wholeNumber(merchantId),
		paymentPageLinkReference: reference,
		amount: 1,
		paidAt: new Date().toISOString(),
	});
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
	settings: SandboxSettings,
	{ webhookUrl, secret }: Registration,
	kind: ForgeryKind,
	{ reference = 'forged', keepToken = false, token: givenToken }: ForgeOptions = {},
): DeliveryOrder {
	const { signing: asSet, merchantId } = settings;
	const signing: SigningSettings = asSet.mode === 'none' ? { ...asSet, mode: 'hmac' } : asSet;
	const body = forgedBody(merchantId, reference);
	const sign = (key: string): string => signature(signing, key, body);
	const token = new URL(webhookUrl).searchParams.get('token') ?? '';
	const randomToken = randomBytes(token.length || 16).toString('hex');
	const spoiled: Spoiled = forgeries[kind].spoil({
		signing,
		secret,
		body,
		right: sign(secret),
		wrong: [sign('first wrong secret'), sign('second wrong secret')],
		token,
		otherToken: givenToken ?? randomToken.slice(0, token.length || 32),
		header: (value) => ({ headers: { [signing.header]: value } }),
		timestamped: (timestamp) => {
			const timed: SigningSettings = {
				...signing,
				mode: 'hmac',
				signedContent: 'timestampDotBody',
			};
			return proofHeaders(timed, secret, body, timestamp);
		},
	});
	const keepsUrl = keepToken && spoiled.tokens === undefined;
	return {
		kind: 'forgery',
		forgery: kind,
		url: keepsUrl ? webhookUrl : withTokens(webhookUrl, spoiled.tokens ?? []),
		body: spoiled.body ?? body,
		headers: () => spoiled.headers ?? {},
		maximumTries: 1,
	};
}
