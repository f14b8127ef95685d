import { initialSettings, type SigningSettings } from '../../../sandbox/settings';
import { proofHeaders } from '../../../sandbox/signing';
import { outsideHeader } from '../../engine/harness/trigger/n8n';
import {
	startAnsweringServer,
	type ServerAnswer,
	type ServerRequest,
} from '../../support/answeringServer';
import { send, type Answer } from '../../support/request';

/**
 * What becomes of a registration. `busy` and `away` store nothing, `cuts` stores and cuts its answer,
 * `stumbles` does so once, `holds` does nothing until somebody lets it go on.
 */
export const serviceModes = [
	...(['well', 'rejects', 'busy', 'away', 'cuts', 'stumbles', 'holds'] as const),
] as const;
export type ServiceMode = (typeof serviceModes)[number];

/** What a merchant's events are sent to, and with what; the URL as it was asked for. */
export type Registration = Record<'merchantId' | 'url' | 'secret', string>;

type Asked = Record<'webhookUrl' | 'secret', string> & { merchantId: number };

/** The merchants, each with the API keys that the service accepts. */
export const apiKeys: Record<string, string[]> = {
	'7': ['first-api-key-of-7', 'second-api-key-of-7'],
	'8': ['first-api-key-of-8', 'second-api-key-of-8'],
};

/** A service of two merchants that registers webhooks, and knows no other request. */
export class Service {
	mode: ServiceMode = 'well';
	readonly registered = new Map<string, Registration>();
	onAsked: (registration: Registration) => void = () => undefined; // as soon as it arrives
	onRejected: (registration: Registration) => void = () => undefined;
	private held: Array<() => void> = [];
	baseUrl = '';
	stop = async (): Promise<void> => undefined;

	async start(): Promise<this> {
		const { baseUrl, stop } = await startAnsweringServer(async (asked) => await this.answer(asked));
		return Object.assign(this, { baseUrl, stop });
	}

	readonly countHeld = (): number => this.held.length; // how many registrations it holds

	/** What is held goes on as if it came now. */
	setMode(mode: ServiceMode): void {
		this.mode = mode;
		if (mode !== 'holds') for (const goOn of this.held.splice(0)) goOn();
	}

	/** @returns nothing to cut the connection */
	private async answer({ body, headers }: ServerRequest): Promise<ServerAnswer | undefined> {
		const { merchantId: id, webhookUrl: url, secret } = JSON.parse(body) as Asked;
		const registration = { merchantId: String(id), url, secret };
		this.onAsked(registration);
		while (this.mode === 'holds') await new Promise<void>((resolve) => this.held.push(resolve));
		const { mode } = this;
		if (mode === 'away') return undefined;
		if (mode === 'busy') return { status: 503, headers: { 'retry-after': '1' } };
		const key = headers.authorization?.replace('Bearer ', '') ?? '';
		if (mode === 'rejects' || apiKeys[registration.merchantId]?.includes(key) !== true) {
			this.onRejected(registration);
			return { body: '{"responseCode":"96","responseMessage":"Not possible"}' };
		}
		this.registered.set(registration.merchantId, registration);
		if (mode === 'stumbles') this.mode = 'well';
		if (mode !== 'well') return undefined;
		const data = { webhookUrl: echoOf(url) };
		return { body: JSON.stringify({ responseCode: '00', responseMessage: 'Registered', data }) };
	}
}

/** The interface's sample echo has a slash that the request had not ("Register webhook URL"). */
export function echoOf(url: string): string {
	const address = new URL(url);
	if (!address.pathname.endsWith('/')) address.pathname += '/';
	return address.href;
}

/** Without token, and without a slash at its end. */
export const plain = (url: string) => url.replace(/\?.*$/, '').replace(/\/$/, '');

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
	const chosen = { ...signings[message.signing], header: signatureHeader };
	const { signing } = initialSettings({ signing: chosen });
	const seconds = String(Math.floor(message.signedAt / 1_000));
	return proofHeaders(signing, message.secret, bodyOf(message), seconds) as Record<string, string>;
}

/** Sends it from outside n8n; without an answer, the status is undefined. */
export async function sendMessage(message: Message): Promise<Pick<Answer, 'status' | 'text'>> {
	const { url, style, id } = message;
	const address = new URL(url);
	if (style === 'query') address.searchParams.set('id', id);
	const type = style === 'json' && { 'content-type': 'application/json' };
	return await send(address.href, {
		method: style === 'json' ? 'POST' : 'GET',
		headers: { ...type, ...message.headers, ...proofOf(message), [outsideHeader]: '1' },
		body: bodyOf(message),
		signal: AbortSignal.timeout(10_000), // in real time: after that, a request counts as forgotten
	}).catch(() => ({ status: undefined, text: '' }));
}
