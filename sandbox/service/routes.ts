import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toExactJson } from '../exactJson';
import type { Endpoint } from '../faults';
import type { Sandbox } from '../sandbox';
import { type RecordedRequest, remember } from '../state';
import { answer, cut, sendJson } from './answer';
import { type Envelope, errorCodes, ServiceError } from './envelope';
import { createPage, registerWebhook, updatePage, validateReference } from './endpoints';

declare module 'fastify' {
	interface FastifyRequest {
		record: RecordedRequest; // what the sandbox remembers of this request
	}
}

const requestLimit = 20_000;

export function recordRequest(sandbox: Sandbox, request: FastifyRequest): RecordedRequest {
	const { privateKey, apiKey } = sandbox.settings;
	const { authorization } = request.headers;
	const record: RecordedRequest = {
		method: request.method,
		url: request.raw.url ?? '',
		headers: request.headers,
		body: Buffer.alloc(0),
		keyUsed: authorization === undefined ? 'none' : 'other',
		status: null,
		fault: null,
		at: Date.now(),
	};
	if (authorization === `Bearer ${apiKey}`) record.keyUsed = 'apiKey';
	if (authorization === `Bearer ${privateKey}`) record.keyUsed = 'privateKey';
	remember(sandbox.state.requests, record, requestLimit);
	return record;
}

/** Remembers every request of the given routes with its raw bytes, whatever its content type. */
function recordRequests(api: FastifyInstance, sandbox: Sandbox): void {
	api.decorateRequest('record');
	api.addHook('onRequest', async (request) => {
		request.record = recordRequest(sandbox, request);
	});
	api.removeAllContentTypeParsers();
	api.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
		request.record.body = body;
		done(null, body);
	});
	// At `onSend`, so that a client that has the answer also finds its status in the records.
	api.addHook('onSend', async (request, reply) => {
		request.record.status = reply.statusCode;
	});
}

const keyNames = { privateKey: 'private key', apiKey: 'API key' };
type KeyName = keyof typeof keyNames;

/** Each endpoint takes exactly one of the two keys (docs/interface.md, "Authentication"). */
function requireKey({ keyUsed }: RecordedRequest, expected: KeyName): void {
	if (keyUsed === expected) return;
	const reason = keyUsed === 'none' ? 'Authorization header missing' : 'Unauthorized';
	const message = `${reason}: this endpoint takes the merchant's ${keyNames[expected]}`;
	throw new ServiceError(errorCodes.wrongKey, message, 401);
}

function requireJson({ method, headers }: FastifyRequest): void {
	if (method === 'GET' || /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
	throw new ServiceError(errorCodes.formatError, 'Content-Type must be application/json', 415);
}

/** Of an answer that was trickling in when the client went away, or the sandbox was reset. */
const brokenOff = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'];

/** Answers with the rejection; what is not one is a fault of the sandbox itself and is shown. */
export function sendError(
	error: Error & { code?: string; statusCode?: number },
	reply: FastifyReply,
): FastifyReply {
	if (brokenOff.includes(error.code ?? '')) return cut(reply);
	const responseMessage = error.message;
	if (error instanceof ServiceError) {
		const { responseCode, httpStatus } = error;
		return sendJson(reply, httpStatus, toExactJson({ responseCode, responseMessage }));
	}
	const status = error.statusCode ?? 500;
	if (status >= 500) console.error(error);
	const responseCode = status >= 500 ? errorCodes.malfunction : errorCodes.formatError;
	return sendJson(reply, status, toExactJson({ responseCode, responseMessage }));
}

/** The service's endpoints (docs/interface.md, "Endpoints"), to be mounted under a prefix. */
export function serviceRoutes(sandbox: Sandbox) {
	return async (api: FastifyInstance): Promise<void> => {
		recordRequests(api, sandbox);
		api.setErrorHandler<Error>((error, _request, reply) => sendError(error, reply));
		api.setNotFoundHandler((_request, reply) =>
			sendError(new ServiceError(errorCodes.formatError, 'No such endpoint', 404), reply),
		);
		type Work = (sandbox: Sandbox, body: Buffer, reference: string) => Envelope;
		const handler =
			(name: Endpoint, key: KeyName, work: Work) =>
			(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
				answer(sandbox, name, request, reply, () => {
					requireKey(request.record, key);
					requireJson(request);
					const { reference } = request.params as { reference: string };
					return work(sandbox, request.record.body, reference);
				});
		const [pages, webhook] = ['/PaymentPages', '/WebhookRegistration'];
		api.post(`${pages}/Add`, handler('create', 'privateKey', createPage));
		api.post(`${pages}/Update`, handler('update', 'privateKey', updatePage));
		const validatePath = `${pages}/ValidatePaymentPageLinkRefernce/:reference`;
		api.get(validatePath, handler('validate', 'privateKey', validateReference));
		api.post(`${webhook}/RegisterWebhook`, handler('register', 'apiKey', registerWebhook));
	};
}
