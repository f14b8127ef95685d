import {
	startAnsweringServer,
	type AnsweringServer,
	type ServerAnswer,
	type ServerRequest,
} from '../../support/answeringServer';

/**
 * What becomes of a registration. `busy` and `away` store nothing, `cuts` stores and cuts its answer,
 * `stumbles` does so once, `holds` does nothing until somebody lets it go on.
 */
export const serviceModes = [
	...(['well', 'rejects', 'busy', 'away', 'cuts', 'stumbles', 'holds'] as const),
] as const;
export type ServiceMode = (typeof serviceModes)[number];

/** What a merchant's events are sent to, and with what. */
export interface Registration {
	merchantId: string;
	url: string; // as it was asked for
	secret: string;
}

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
	/** Called with each registration that is asked for, as soon as it arrives. */
	onAsked: (registration: Registration) => void = () => undefined;
	/** Called with each that is rejected. */
	onRejected: (registration: Registration) => void = () => undefined;
	private held: Array<() => void> = [];
	private server: AnsweringServer | undefined;

	async start(): Promise<this> {
		this.server = await startAnsweringServer(async (request) => await this.answer(request));
		return this;
	}

	async stop(): Promise<void> {
		await this.server?.stop();
	}

	get baseUrl(): string {
		return this.server?.baseUrl ?? '';
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
export function plain(url: string): string {
	return url.replace(/\?.*$/, '').replace(/\/$/, '');
}
