import type { FastifyInstance } from 'fastify';
import { html } from './html';
import { htmlDocument } from './layout';
import type { Sandbox } from './sandbox';

/** What the sandbox holds, for people, at `/`. */
export async function statusPageRoutes(
	app: FastifyInstance,
	{ sandbox }: { sandbox: Sandbox },
): Promise<void> {
	app.get('/', async (_request, reply) => {
		const content = html`<h1>Payment pages sandbox</h1>
			<p>Base URL: <code>${sandbox.baseUrl}</code></p>`;
		return reply
			.type('text/html; charset=utf-8')
			.send(htmlDocument('Payment pages sandbox', content, 'wide'));
	});
}
