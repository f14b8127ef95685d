import { initialSettings, type SigningSettings } from '../../../sandbox/settings';
import { proofHeaders } from '../../../sandbox/signing';
import { outsideHeader } from '../../engine/harness/trigger/n8n';
import { send, type Answer } from '../../support/request';

/** How a sender shows that it knows a secret; each also has the token that stands in the URL. */
export const signings = {
	none: { mode: 'none' },
	secret: { mode: 'secretInHeader' },
	body: { mode: 'hmac', signedContent: 'body' },
	timestamp: { mode: 'hmac', signedContent: 'timestampDotBody' },
} satisfies Record<string, Partial<SigningSettings>>;

/** An event, or what pretends to be one. */
export interface Message {
	id: string;
	url: string;
	method?: string;
	style: 'json' | 'query'; // how it carries what it says; a signature says nothing about a query
	signing: keyof typeof signings;
	secret: string; // with which it was signed
	signedAt: number; // milliseconds since 1970
	headers?: Record<string, string>; // beside those of the proof
}

let lastId = 0;

export function newMessage(
	address: string,
	{ token, ...more }: Partial<Message> & { token?: string | undefined },
): Message {
	const url = token === undefined ? address : `${address}?token=${token}`;
	const blank = { style: 'json', signing: 'none', secret: '', signedAt: Date.now() } as const;
	return { id: `event-${++lastId}`, url, ...blank, ...more };
}

export const signatureHeader = 'x-webhook-signature';

export function tokenOf({ url }: { url: string }): string | undefined {
	return new URL(url).searchParams.get('token') ?? undefined;
}

function bodyOf({ id, style }: Message): string {
	return style === 'json' ? JSON.stringify({ event: 'paid', id }) : '';
}

/** The headers that prove it. */
export function proofOf(message: Message): Record<string, string> {
	const { signing } = initialSettings({
		signing: { ...signings[message.signing], header: signatureHeader },
	});
	const seconds = String(Math.floor(message.signedAt / 1_000));
	return proofHeaders(signing, message.secret, bodyOf(message), seconds) as Record<string, string>;
}

/** Sends it from outside n8n; without an answer, the status is undefined. */
export async function sendMessage(message: Message): Promise<Pick<Answer, 'status' | 'text'>> {
	const { url, style, id, headers, method = style === 'json' ? 'POST' : 'GET' } = message;
	const address = new URL(url);
	if (style === 'query' && id !== '') address.searchParams.set('id', id);
	return await send(address.href, {
		method,
		headers: {
			...(style === 'json' && { 'content-type': 'application/json' }),
			...headers,
			...proofOf(message),
			[outsideHeader]: '1',
		},
		body: bodyOf(message),
		// In real time: after that, a request counts as forgotten.
		signal: AbortSignal.timeout(10_000),
	}).catch(() => ({ status: undefined, text: '' }));
}
