import { randomUUID } from 'node:crypto';
import { toExactJson, wholeNumber } from './exactJson';
import type { SigningSettings } from './settings';
import { type DeliveryHeaders, proofHeaders, signature } from './signing';

/** What a forgery starts from: an event that would be accepted, and the means to spoil it. */
interface Genuine {
	/** The settings, with `hmac` in place of `none` so that there is a signature to spoil. */
	signing: SigningSettings;
	secret: string;
	body: string;
	/** Unix seconds. */
	timestamp: number;
	/** The token in the registered URL's query; empty when there is none. */
	token: string;
	/** A token that belongs to somebody else, of the same length. */
	otherToken: string;
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
	 * form, so both accepting and refusing are sound, and only a crash (5xx) is wrong.
	 */
	mustBeRefused: boolean;
	spoil(genuine: Genuine): Spoiled;
}

/** Older than any time that still counts. */
const longTime = 8 * 24 * 60 * 60;

function rightSignature({ signing, secret, body }: Genuine): string {
	return signature(signing, secret, Buffer.from(body));
}

/** The signature header alone, with any value. */
function signatureHeader({ signing }: Genuine, value: string | string[]): Spoiled {
	return { headers: { [signing.header]: value } };
}

/** Headers of a signature over `<timestamp>.<body>`, whatever the settings sign. */
function timestampedHeaders(genuine: Genuine, timestamp: string): DeliveryHeaders {
	const signing: SigningSettings = {
		...genuine.signing,
		mode: 'hmac',
		signedContent: 'timestampDotBody',
	};
	return proofHeaders(signing, genuine.secret, genuine.body, timestamp);
}

function proofWith(genuine: Genuine, secret: string, body = genuine.body): DeliveryHeaders {
	return proofHeaders(genuine.signing, secret, body, genuine.timestamp.toString());
}

const wrongSignatures = (genuine: Genuine): string[] =>
	['first wrong secret', 'second wrong secret'].map((secret) =>
		rightSignature({ ...genuine, secret }),
	);

function refused(description: string, spoil: Forgery['spoil']): Forgery {
	return { description, mustBeRefused: true, spoil };
}

function eitherWay(description: string, spoil: Forgery['spoil']): Forgery {
	return { description, mustBeRefused: false, spoil };
}

export const forgeries = {
	unsigned: refused('no signature and no token', () => ({})),
	wrongSecret: refused('signed with another secret', (genuine) => ({
		headers: proofWith(genuine, `${genuine.secret}x`),
	})),
	emptySecret: refused('signed with an empty secret', (genuine) =>
		signatureHeader(genuine, rightSignature({ ...genuine, secret: '' })),
	),
	secretPrefix: refused('the first half of the secret in the header', (genuine) =>
		signatureHeader(genuine, genuine.secret.slice(0, genuine.secret.length / 2)),
	),
	signatureOfAnotherBody: refused('signature over another body', (genuine) =>
		signatureHeader(genuine, rightSignature({ ...genuine, body: '{}' })),
	),
	replacedBody: refused('another amount under the old signature', (genuine) => ({
		...signatureHeader(genuine, rightSignature(genuine)),
		body: genuine.body.replace('"amount":1,', '"amount":1000000,'),
	})),
	signatureCut: refused('first half of the right signature', (genuine) => {
		const right = rightSignature(genuine);
		return signatureHeader(genuine, right.slice(0, right.length / 2));
	}),
	signatureTooLong: refused('right signature with 4,000 more characters', (genuine) =>
		signatureHeader(genuine, rightSignature(genuine) + 'a'.repeat(4000)),
	),
	signatureEmpty: refused('empty signature header', (genuine) => signatureHeader(genuine, '')),
	signatureNotAscii: refused('signature of letters with accents', (genuine) =>
		signatureHeader(genuine, 'é'.repeat(rightSignature(genuine).length)),
	),
	twoWrongSignatures: refused('two signature headers, both wrong', (genuine) =>
		signatureHeader(genuine, wrongSignatures(genuine)),
	),
	timestampInPast: refused('rightly signed eight days ago', (genuine) => ({
		headers: timestampedHeaders(genuine, String(genuine.timestamp - longTime)),
	})),
	timestampInFuture: refused('rightly signed for a time in eight days', (genuine) => ({
		headers: timestampedHeaders(genuine, String(genuine.timestamp + longTime)),
	})),
	timestampNotANumber: refused('rightly signed with "abc" as timestamp', (genuine) => ({
		headers: timestampedHeaders(genuine, 'abc'),
	})),
	timestampReplaced: refused('an old signature under a fresh timestamp', (genuine) => ({
		headers: {
			...timestampedHeaders(genuine, String(genuine.timestamp - longTime)),
			[genuine.signing.timestampHeader]: String(genuine.timestamp),
		},
	})),
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
	signatureUpperCase: eitherWay('right signature in upper case', (genuine) =>
		signatureHeader(genuine, rightSignature(genuine).toUpperCase()),
	),
	signatureLowerCase: eitherWay('right signature in lower case', (genuine) =>
		signatureHeader(genuine, rightSignature(genuine).toLowerCase()),
	),
	wrongAndRightSignature: eitherWay('two signature headers, the second one right', (genuine) =>
		signatureHeader(genuine, [wrongSignatures(genuine)[0] ?? '', rightSignature(genuine)]),
	),
} satisfies Record<string, Forgery>;

export type ForgeryKind = keyof typeof forgeries;
export const forgeryKinds = Object.keys(forgeries) as ForgeryKind[];

/** An event about a payment that never was. */
export function forgedBody(merchantId: string, reference: string): string {
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
