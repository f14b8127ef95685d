import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context';
import type { FaultEndpoint } from '../faults';
import { answer, cut, sendJson } from './answer';
import { type KeyName, requireKey } from './authentication';
import { type Envelope, envelopeText, errorCodes, ServiceError } from './envelope';
import { createPage, updatePage, validateReference } from './pages';
import { recordRequests } from './recorder';
import { registerWebhook } from './webhook';

interface Endpoint {
	name: Exclude<FaultEndpoint, 'any'>;
	method: 'GET' | 'POST';
	path: string;
	key: KeyName;
	work: (context: SandboxContext, request: FastifyRequest) => Envelope;
}

/** The service's endpoints (docs/interface.md, "Endpoints"). */
const endpoints: Endpoint[] = [
	{
		name: 'create',
		method: 'POST',
		path: '/PaymentPages/Add',
		key: 'privateKey',
		work: (context, request) => createPage(context, request.record.body),
	},
	{
		name: 'update',
		method: 'POST',
		path: '/PaymentPages/Update',
		key: 'privateKey',
		work: (context, request) => updatePage(context, request.record.body),
	},
	{
		name: 'validate',
		method: 'GET',
		path: '/PaymentPages/ValidatePaymentPageLinkRefernce/:reference',
		key: 'privateKey',
		work: (context, request) => {
			const { reference } = request.params as { reference: string };
			return validateReference(context, reference);
		},
	},
	{
		name: 'register',
		method: 'POST',
		path: '/WebhookRegistration/RegisterWebhook',
		key: 'apiKey',
		work: (context, request) => registerWebhook(context, request.record.body),
	},
];

function requireJson(request: FastifyRequest): void {
	const type = request.headers['content-type'] ?? '';
	if (/^application\/json\s*(;|$)/i.test(type)) return;
	throw new ServiceError(errorCodes.formatError, 'Content-Type must be application/json', 415);
}

/** Of an answer that was trickling in when the client went away, or the sandbox was reset. */
const brokenOff: unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'];

function isBrokenOff(error: unknown): boolean {
	return (
		typeof error === 'object' && error !== null && 'code' in error && brokenOff.includes(error.code)
	);
}

/** Answers with the refusal; what is not one is a fault of the sandbox itself and is shown. */
export function sendError(error: unknown, reply: FastifyReply): FastifyReply {
	if (isBrokenOff(error)) return cut(reply);
	const responseMessage = error instanceof Error ? error.message : String(error);
	if (error instanceof ServiceError) {
		const { responseCode, httpStatus } = error;
		return sendJson(reply, httpStatus, envelopeText({ responseCode, responseMessage }));
	}
	const status =
		error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
			? error.statusCode
			: 500;
	if (status >= 500) console.error(error);
	const responseCode = status >= 500 ? errorCodes.malfunction : errorCodes.formatError;
	return sendJson(reply, status, envelopeText({ responseCode, responseMessage }));
}

/** The service's interface, to be mounted under a prefix. */
export function serviceRoutes(context: SandboxContext) {
	return async (api: FastifyInstance): Promise<void> => {
		recordRequests(api, context);
		api.setErrorHandler((error, _request, reply) => sendError(error, reply));
		api.setNotFoundHandler((_request, reply) =>
			sendError(new ServiceError(errorCodes.formatError, 'No such endpoint', 404), reply),
		);
		for (const { name, method, path, key, work } of endpoints) {
			api.route({
				method,
				url: path,
				handler: (request, reply) =>
					answer(context, name, request, reply, () => {
						requireKey(request.record, key);
						if (method === 'POST') requireJson(request);
						return work(context, request);
					}),
			});
		}
	};
}
