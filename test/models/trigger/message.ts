import { request as httpRequest } from 'node:http';

import { proofHeaders } from '../../../sandbox/signing';
import { initialSettings } from '../../../sandbox/settings';
import { outsideHeader } from '../../engine/harness/trigger/reach';

/** How a sender shows that it knows a secret; each also has the token that stands in the URL. */
export const signings = ['none', 'secret', 'body', 'timestamp'] as const;
export type Signing = (typeof signings)[number];

/** How an event carries what it says; a signature says nothing about a query. */
export const styles = ['json', 'query'] as const;
export type Style = (typeof styles)[number];

/** An event, or what pretends to be one. */
export interface Message {
	id: string;
	url: string;
	style: Style;
	signing: Signing;
	/** With which it was signed. */
	secret: string;
	/** Milliseconds since 1970. */
	signedAt: number;
	/** Beside those of the proof. */
	headers?: Record<string, string>;
}

export interface Answer {
	/** undefined when the connection ended without one. */
	status: number | undefined;
	text: string;
}

export const signatureHeader = 'x-webhook-signature';

export function tokenOf({ url }: Pick<Message, 'url'>): string | null {
	return new URL(url).searchParams.get('token');
}

function bodyOf({ id, style }: Message): string {
	return style === 'json' ? JSON.stringify({ event: 'paid', id }) : '';
}

/** The headers that prove it. */
export function proofOf(message: Message): Record<string, string> {
	const { signing, secret, signedAt } = message;
	if (signing === 'none') return {};
	const settings = initialSettings({
		signing: {
			mode: signing === 'secret' ? 'secretInHeader' : 'hmac',
			header: signatureHeader,
			signedContent: signing === 'timestamp' ? 'timestampDotBody' : 'body',
			timestampHeader: 'x-webhook-timestamp',
		},
	});
	const seconds = Math.floor(signedAt / 1_000);
	const headers = proofHeaders(settings.signing, secret, bodyOf(message), String(seconds));
	return headers as Record<string, string>;
}

/** Milliseconds of real time after which a request counts as forgotten. */
const patience = 10_000;

/** Sends it from outside n8n. */
export async function send(message: Message, method?: string): Promise<Answer> {
	const { url, style, id, headers } = message;
	const address = new URL(url);
	if (style === 'query' && id !== '') address.searchParams.set('id', id);
	const options = {
		method: method ?? (style === 'json' ? 'POST' : 'GET'),
		headers: {
			...(style === 'json' && { 'content-type': 'application/json' }),
			...headers,
			...proofOf(message),
			[outsideHeader]: '1',
		},
		agent: false,
		timeout: patience,
	};
	return await new Promise((resolve) => {
		const request = httpRequest(address, options, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (part: string) => (text += part));
			response.on('end', () => resolve({ status: response.statusCode, text }));
		});
		request.on('timeout', () => request.destroy());
		request.on('error', () => resolve({ status: undefined, text: '' }));
		request.end(bodyOf(message));
	});
}
