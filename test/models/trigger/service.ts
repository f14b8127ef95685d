import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

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
	/** As it was asked for. */
	url: string;
	secret: string;
}

interface Asked {
	merchantId: number;
	webhookUrl: string;
	secret: string;
}

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
	private readonly server = createServer((request, response) => {
		void this.answer(request, response).catch(() => response.destroy());
	});

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return this;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** How many registrations it holds. */
	readonly countHeld = (): number => this.held.length;

	/** What is held goes on as if it came now. */
	setMode(mode: ServiceMode): void {
		this.mode = mode;
		if (mode !== 'holds') for (const goOn of this.held.splice(0)) goOn();
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { merchantId, webhookUrl: url, secret } = (await json(request)) as Asked;
		const registration = { merchantId: String(merchantId), url, secret };
		this.onAsked(registration);
		while (this.mode === 'holds') await new Promise<void>((resolve) => this.held.push(resolve));
		const { mode } = this;
		const end = (body: object) => void response.end(JSON.stringify(body));
		if (mode === 'away') return void response.destroy();
		if (mode === 'busy') return void response.writeHead(503, { 'retry-after': '1' }).end();
		const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
		if (mode === 'rejects' || apiKeys[registration.merchantId]?.includes(key) !== true) {
			this.onRejected(registration);
			end({ responseCode: '96', responseMessage: 'Not possible' });
			return;
		}
		this.registered.set(registration.merchantId, registration);
		if (mode === 'stumbles') this.mode = 'well';
		if (mode !== 'well') return void response.destroy();
		const data = { webhookUrl: echoOf(url) };
		end({ responseCode: '00', responseMessage: 'Registered', data });
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
