import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context';
import { type RecordedRequest, remember } from '../state';
import { keyUsed } from './authentication';

declare module 'fastify' {
	interface FastifyRequest {
		/** What the sandbox remembers of this request. */
		record: RecordedRequest;
	}
}

const requestLimit = 20_000;

export function recordRequest(context: SandboxContext, request: FastifyRequest): RecordedRequest {
	const record: RecordedRequest = {
		method: request.method,
		url: request.raw.url ?? '',
		headers: request.headers,
		body: Buffer.alloc(0),
		keyUsed: keyUsed(context.settings, request.headers.authorization),
		status: null,
		fault: null,
		at: Date.now(),
	};
	remember(context.state.requests, record, requestLimit);
	return record;
}

/** Remembers every request of the given routes with its raw bytes, whatever its content type. */
export function recordRequests(api: FastifyInstance, context: SandboxContext): void {
	api.decorateRequest('record');
	api.addHook('onRequest', async (request) => {
		request.record = recordRequest(context, request);
	});
	api.removeAllContentTypeParsers();
	api.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
		request.record.body = body;
		done(null, body);
	});
	// At `onSend`, so that whoever has the answer in hand also finds its status in the records.
	api.addHook('onSend', async (request, reply) => {
		request.record.status = reply.statusCode;
	});
}
