import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { send } from './request';

/** A service that looks at an address while it registers it, and only then answers. */
export class ProbingService {
	/** The addresses that it was asked to register. */
	readonly addresses: string[] = [];
	/** What its probes were answered. */
	readonly probes: string[] = [];
	/** How many registrations it refuses, after probing. */
	refusals = 0;

	private readonly server = createServer((request, response) => {
		void json(request).then(async (body) => {
			const { webhookUrl } = body as { webhookUrl: string };
			this.addresses.push(webhookUrl);
			for (const method of ['GET', 'HEAD', 'POST']) {
				const { status } = await send(webhookUrl, { method });
				this.probes.push(`${method} ${status}`);
			}
			const responseCode = this.refusals-- > 0 ? '96' : '00';
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify({ responseCode, responseMessage: '', data: { webhookUrl } }));
		});
	});

	static async start(): Promise<ProbingService> {
		const service = new ProbingService();
		await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
		return service;
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}
