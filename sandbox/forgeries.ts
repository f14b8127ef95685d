import { randomBytes, randomUUID } from 'node:crypto';
import type { DeliveryOrder } from './deliveries';
import { LosslessNumber } from 'lossless-json';
import { toExactJson } from './exactJson';
import type { SandboxSettings, SigningSettings } from './settings';
import { type DeliveryHeaders, proofHeaders, signature, unixSeconds } from './signing';
import type { Registration } from './state';

/** What a forgery starts from: an event that would be accepted, and the means to spoil it. */
interface Genuine {
	secret: string;
	right: string; // the right signature of the body, as the settings encode it
	wrong: [string, string]; // two wrong signatures of the same form
	token: string; // the token in the registered URL's query; empty without one
	otherToken: string; // a token that belongs to somebody else, of the same length
	/** The signature, with the secret and over the content that are given. */
	sign(secret: string, content: string): string;
	body: string;
}

interface Forgery {
	description: string;
	/** Whether a receiver must answer 401; otherwise, with a right proof in an odd form, it may. */
	mustBeRejected: boolean;
	isOfAnother?: boolean; // whether the event is signed as the settings say, but with another secret
	/** Or: value of the signature header. */
	header?(genuine: Genuine): string | string[];
	/** Or: the time of a right signature over `<timestamp>.<body>`, and the one that is sent. */
	times?(): { signed: string; sent: string };
	/** Tokens to put into the query, in place of the registered one. */
	tokens?(genuine: Genuine): string[];
	amount?: number; // put into the body after it was signed
}

function header(description: string, value: Forgery['header'], mustBeRejected = true): Forgery {
	return { description, mustBeRejected, header: value };
}

/** No receiver should accept a signature that is this old, or that far ahead. */
const eightDays = 8 * 24 * 60 * 60;

/** Rightly signed, at a time some seconds from now or with a text as timestamp. */
function timed(description: string, signedAt: number | string, sentAt = signedAt): Forgery {
	const text = (time: number | string): string =>
		typeof time === 'string' ? time : unixSeconds(new Date(Date.now() + time * 1000));
	const times = () => ({ signed: text(signedAt), sent: text(sentAt) });
	return { description, mustBeRejected: true, times };
}

function tokens(description: string, values: Forgery['tokens']): Forgery {
	return { description, mustBeRejected: true, tokens: values };
}

const firstHalf = (text: string): string => text.slice(0, text.length / 2);

export const forgeries = {
	unsigned: { description: 'no signature and no token', mustBeRejected: true },
	wrongSecret: {
		description: 'signed with another secret',
		mustBeRejected: true,
		isOfAnother: true,
	},
	emptySecret: header('signed with an empty secret', (it) => it.sign('', it.body)),
	secretPrefix: header('first half of the secret in the header', (it) => firstHalf(it.secret)),
	signatureOfAnotherBody: header('signature of another body', (it) => it.sign(it.secret, '{}')),
	replacedBody: { ...header('another amount, old signature', (it) => it.right), amount: 1_000_000 },
	signatureCut: header('first half of the right signature', (it) => firstHalf(it.right)),
	signatureTooLong: header('right signature and more', (it) => it.right + 'a'.repeat(4000)),
	signatureEmpty: header('empty signature header', () => ''),
	signatureNotAscii: header('letters with accents', (it) => 'é'.repeat(it.right.length)),
	twoWrongSignatures: header('two signature headers, both wrong', (it) => it.wrong),
	timestampInPast: timed('rightly signed eight days ago', -eightDays),
	timestampInFuture: timed('rightly signed for eight days from now', eightDays),
	timestampNotANumber: timed('rightly signed with "abc" as timestamp', 'abc'),
	timestampReplaced: timed('an old signature under a fresh timestamp', -eightDays, 0),
	tokenCut: tokens('token without its last character', (it) => [it.token.slice(0, -1)]),
	tokenEmpty: tokens('empty token', () => ['']),
	tokenOfAnotherMerchant: tokens('token of another merchant', (it) => [it.otherToken]),
	twoWrongTokens: tokens('two wrong tokens', (it) => [it.otherToken, it.token.slice(1)]),
	signatureUpperCase: header('right, in upper case', (it) => it.right.toUpperCase(), false),
	signatureLowerCase: header('right, in lower case', (it) => it.right.toLowerCase(), false),
	wrongAndRightSignature: header('a wrong and a right one', (it) => [it.wrong[0], it.right], false),
} satisfies Record<string, Forgery>;

export type ForgeryKind = keyof typeof forgeries;
export const forgeryKinds = Object.keys(forgeries) as ForgeryKind[];

export interface ForgeOptions {
	reference?: string; // reference that the event speaks of; need not exist
	/** Leaves the registered token in place, unless it is what is forged; by default it is dropped. */
	keepToken?: boolean;
	token?: string; // the token of `tokenOfAnotherMerchant`; a random one when not given
}

/** The order to send an event about a payment that never was to the registered webhook, once. */
export function forgeryOrder(
	settings: SandboxSettings,
	{ webhookUrl, secret }: Registration,
	kind: ForgeryKind,
	{ reference = 'forged', keepToken = false, token: givenToken }: ForgeOptions = {},
): DeliveryOrder {
	// Where nothing is signed there would be no signature to spoil.
	const mode = settings.signing.mode === 'none' ? 'hmac' : settings.signing.mode;
	const signing: SigningSettings = { ...settings.signing, mode };
	const forgery: Forgery = forgeries[kind];
	const body = toExactJson({
		event: 'payment.completed',
		eventId: randomUUID(),
		paymentId: `forged-${randomUUID()}`,
		merchantId: new LosslessNumber(settings.merchantId),
		paymentPageLinkReference: reference,
		amount: 1,
		paidAt: new Date().toISOString(),
	});
	const sign = (key: string, content: string): string => signature(signing, key, content);
	const url = new URL(webhookUrl);
	const token = url.searchParams.get('token') ?? '';
	const randomToken = randomBytes(token.length || 16).toString('hex');
	const genuine: Genuine = {
		secret,
		body,
		sign,
		right: sign(secret, body),
		wrong: [sign('first wrong secret', body), sign('second wrong secret', body)],
		token,
		otherToken: givenToken ?? randomToken.slice(0, token.length || 32),
	};
	let headers: DeliveryHeaders = {};
	const now = unixSeconds(new Date());
	if (forgery.isOfAnother) headers = proofHeaders(signing, `x${secret}`, body, now);
	if (forgery.header) headers = { [signing.header]: forgery.header(genuine) };
	if (forgery.times) {
		const { signed, sent } = forgery.times();
		const stamped = { ...signing, mode: 'hmac', signedContent: 'timestampDotBody' } as const;
		headers = { ...proofHeaders(stamped, secret, body, signed), [signing.timestampHeader]: sent };
	}
	if (forgery.tokens || !keepToken) url.searchParams.delete('token');
	for (const each of forgery.tokens?.(genuine) ?? []) url.searchParams.append('token', each);
	return {
		kind: 'forgery',
		forgery: kind,
		url: url.href,
		body: forgery.amount ? body.replace('"amount":1,', `"amount":${forgery.amount},`) : body,
		headers: () => headers,
		maximumTries: 1,
	};
}
