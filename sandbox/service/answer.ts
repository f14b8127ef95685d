import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { toExactJson } from '../exactJson';
import type { Endpoint } from '../faults';
import type { Sandbox } from '../sandbox';
import type { FaultKind, FaultRule } from '../settings';
import { type Envelope, errorCodes } from './envelope';

/** These alter the real answer, so the service always does its work before them. */
const alwaysStored: FaultKind[] = ['cutAfterStoring', 'slowBody', 'numericCode', 'missingCode'];

export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
	return reply.code(status).type('application/json; charset=utf-8').send(text);
}

function retryAfter({ retryAfterSeconds, retryAfterAs }: FaultRule): Record<string, string> {
	if (retryAfterSeconds === undefined) return {};
	const date = new Date(Date.now() + retryAfterSeconds * 1000).toUTCString();
	return { 'retry-after': retryAfterAs === 'date' ? date : String(retryAfterSeconds) };
}

function rejection(rule: FaultRule, responseMessage: string): string {
	return toExactJson({
		responseCode: rule.code ?? errorCodes.malfunction,
		responseMessage: rule.message ?? responseMessage,
	});
}

/** Sends a text in ten pieces spread over the time. */
function trickle(text: string, milliseconds: number, signal: AbortSignal): Readable {
	const bytes = Buffer.from(text);
	const size = Math.ceil(bytes.length / 10);
	async function* pieces(): AsyncGenerator<Buffer> {
		for (let start = 0; start < bytes.length; start += size) {
			await sleep(milliseconds / 10, undefined, { signal });
			yield bytes.subarray(start, start + size);
		}
	}
	return Readable.from(pieces());
}

/** Ends the connection without an answer. */
export function cut(reply: FastifyReply): FastifyReply {
	reply.hijack();
	reply.request.raw.socket.destroy();
	return reply;
}

/** What is sent instead of, or made of, the right answer; a text alone has status 200. */
function faultyAnswer(rule: FaultRule, right: string): { status?: number; text: string } | null {
	switch (rule.kind) {
		case 'tooManyRequests':
			return { status: 429, text: rejection(rule, 'Too many requests') };
		case 'serverError':
			return { status: rule.status ?? 500, text: rejection(rule, 'Internal server error') };
		case 'html':
			return { status: rule.status, text: '<!doctype html><title>Sign in</title><h1>Sign in</h1>' };
		case 'emptyBody':
			return { status: rule.status, text: '' };
		case 'brokenJson':
			return { text: '{"responseCode":"00","responseMess' };
		case 'notAnObject':
			return { text: '["00"]' };
		case 'wrongCode':
			return { text: rejection(rule, 'System malfunction') };
		case 'numericCode':
			return { text: right.replace('"responseCode":"00"', '"responseCode":0') };
		case 'missingCode':
			return { text: right.replace('"responseCode":"00",', '') };
		default:
			return null;
	}
}

async function makeTrouble(
	sandbox: Sandbox,
	rule: FaultRule,
	reply: FastifyReply,
	right: string,
): Promise<FastifyReply> {
	const faulty = faultyAnswer(rule, right);
	if (faulty) {
		sendJson(reply.headers(retryAfter(rule)), faulty.status ?? 200, faulty.text);
		return rule.kind === 'html' ? reply.type('text/html; charset=utf-8') : reply;
	}
	if (rule.kind === 'slowBody') {
		return reply
			.type('application/json; charset=utf-8')
			.header('content-length', Buffer.byteLength(right))
			.send(trickle(right, rule.milliseconds ?? 1000, sandbox.waits.signal));
	}
	// Its end is the sandbox's stop or reset; a timer cannot be longer than this.
	if (rule.kind === 'hang') await sandbox.waits.wait(2 ** 31 - 1);
	return cut(reply);
}

/** Answers a request with the outcome of the work, or with the trouble that it meets instead. */
export async function answer(
	sandbox: Sandbox,
	endpoint: Endpoint,
	request: FastifyRequest,
	reply: FastifyReply,
	work: () => Envelope,
): Promise<FastifyReply> {
	const { trouble, waitBefore, waitAfter, kinds } = sandbox.faultPlan.next(endpoint);
	request.record.fault = kinds;
	const { signal } = sandbox.waits;
	// After a reset, a request from before must neither store anything nor be answered.
	if (!(await sandbox.waits.wait(waitBefore, signal))) return cut(reply);
	const worksDespiteTrouble =
		trouble !== null &&
		trouble.kind !== 'cutBeforeStoring' &&
		(trouble.stored === true || alwaysStored.includes(trouble.kind));
	const envelope = trouble === null || worksDespiteTrouble ? work() : null;
	if (!(await sandbox.waits.wait(waitAfter, signal))) return cut(reply);
	const text = envelope ? toExactJson(envelope) : '';
	if (trouble) return makeTrouble(sandbox, trouble, reply, text);
	return sendJson(reply, 200, text);
}
