import formBody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import { apiPath, Sandbox } from './sandbox';
import { errorCodes, ServiceError } from './service/envelope';
import { recordRequest, sendError, serviceRoutes } from './service/routes';
import type { SettingsChange } from './settings';
import { controlRoutes } from './site/control';
import { hostedPageRoutes } from './site/hostedPage';
import { html, sendNotice } from './site/html';
import { statusPageRoutes } from './site/statusPage';

export { mixedFaults } from './faults';
export { forgeries, forgeryKinds } from './forgeries';
export type { Sandbox } from './sandbox';
export type { FaultKind, FaultRule, SettingsChange } from './settings';
export type { Delivery, DeliveryTry, RecordedRequest } from './state';

const bodyLimit = 50 * 1024 * 1024;
const maxHeaderSize = 1024 * 1024; // a reference of 5,000 emoji takes 60 KB in a path

/** Puts the HTTP server together, without listening. */
function createServer(sandbox: Sandbox): FastifyInstance {
	const app = fastify({
		bodyLimit,
		forceCloseConnections: true,
		http: { maxHeaderSize },
		routerOptions: { maxParamLength: maxHeaderSize },
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
		// Reached by a path with a broken percent sign, before any route is chosen.
		frameworkErrors: (error, request, reply) => {
			const record = recordRequest(sandbox, request);
			record.status = 400;
			sendError(new ServiceError(errorCodes.formatError, error.message, 400), reply);
		},
	});
	app.register(serviceRoutes(sandbox), { prefix: apiPath });
	app.register(async (site) => {
		await site.register(formBody);
		await site.register(statusPageRoutes, { sandbox });
		await site.register(hostedPageRoutes, { sandbox });
		await site.register(controlRoutes, { sandbox });
	});
	app.setNotFoundHandler((_request, reply) => {
		sendNotice(reply, 404, 'Not found', html`<p>There is nothing at this address.</p>`);
	});
	return app;
}

export interface SandboxOptions extends SettingsChange {
	port?: number; // port on 127.0.0.1; 0, the default, takes a free one
}

/** Starts a server on 127.0.0.1 with the interface of the service, and with the pages it creates. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, ...settings } = options;
	const sandbox = new Sandbox(settings);
	const server = createServer(sandbox);
	sandbox.closeServer = () => server.close();
	sandbox.url = await server.listen({ host: '127.0.0.1', port });
	return sandbox;
}
