import formBody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import type { SandboxContext } from './context';
import { controlRoutes } from './control';
import { hostedPageRoutes } from './hostedPage';
import { html } from './html';
import { htmlDocument, sendDocument } from './layout';
import type { Sandbox } from './sandbox';
import { errorCodes, ServiceError } from './service/envelope';
import { recordRequest } from './service/recorder';
import { sendError, serviceRoutes } from './service/routes';
import { statusPageRoutes } from './statusPage/routes';

/** Where the service's interface lives; an address without it meets a web page, as in real life. */
export const apiPath = '/api';

const bodyLimit = 50 * 1024 * 1024;
/** Longest request line with headers; a reference of 5,000 emoji takes 60 KB in a path. */
const maxHeaderSize = 1024 * 1024;

/** Puts the HTTP server together, without listening. */
export function createServer(context: SandboxContext, sandbox: Sandbox): FastifyInstance {
	const app = fastify({
		bodyLimit,
		forceCloseConnections: true,
		http: { maxHeaderSize },
		routerOptions: { maxParamLength: maxHeaderSize },
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
		// Reached by a path with a broken percent sign, before any route is chosen.
		frameworkErrors: (error, request, reply) => {
			const record = recordRequest(context, request);
			record.status = 400;
			sendError(new ServiceError(errorCodes.formatError, error.message, 400), reply);
		},
	});
	app.register(serviceRoutes(context), { prefix: apiPath });
	app.register(async (site) => {
		await site.register(formBody);
		await site.register(statusPageRoutes, { sandbox });
		await site.register(hostedPageRoutes, { context });
		await site.register(controlRoutes, { sandbox });
	});
	app.setNotFoundHandler((_request, reply) => {
		const content = html`<section class="card">
			<h1>Not found</h1>
			<p>There is nothing at this address.</p>
		</section>`;
		sendDocument(reply, 404, htmlDocument('Not found', content, 'narrow'));
	});
	return app;
}
