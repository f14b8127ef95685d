import { parse as parseForm } from 'node:querystring';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Express, NextFunction, Request, Response } from 'express';
import { WebhookContext } from 'n8n-core';
import type { INodeExecutionData, IWebhookData, Workflow } from 'n8n-workflow';

import { draftOf, endListen } from './hooks';
import { listenTo } from './log';
import type { N8n } from './n8n';
import { copyOf, keyOf, serverDataFor, triggerOf, webhooksOf, workflowOf } from './workflowOf';

/** An error that n8n answers with a status of its own, which is also its code. */
class AnswerError extends Error {
	constructor(
		readonly code: number,
		message: string,
	) {
		super(message);
	}
}

const notRegistered = (what: string) =>
	new AnswerError(404, `The requested webhook "${what}" is not registered.`);
const couldNotExecute = () => new Error('There was a problem executing the workflow');

/** The addresses of n8n that triggers have. */
export function addRoutes(app: Express, n8n: N8n): void {
	const route = (receive: typeof receiveTest) => (request: Request, response: Response) => {
		void receive(n8n, request, response).catch((error: unknown) => {
			// A test is ended after the answer; what fails then, n8n can only log.
			if (response.headersSent) return void n8n.hookFailures.push(error);
			// What is none of n8n's own errors has code 0 and status 500.
			const code = error instanceof AnswerError ? error.code : 0;
			const message = error instanceof Error ? error.message : String(error);
			response.status(code || 500).json({ code, message });
		});
	};
	app.use(addRawBodyReader);
	app.all('/webhook/*path', route(receiveProduction));
	app.all('/webhook-test/*path', route(receiveTest));
}

/** Adds what n8n adds to a request; the bytes stay in the socket until somebody asks for them. */
function addRawBodyReader(request: Request, _: Response, next: NextFunction): void {
	const [type, ...parameters] = request.headers['content-type']?.split(';') ?? [];
	if (type !== undefined) {
		request.contentType = type.toLowerCase();
		const charset = /charset="?([^";]+)/i.exec(parameters.join(';'))?.[1] ?? 'utf-8';
		request.encoding = charset.trim().toLowerCase() as BufferEncoding;
	}
	let reading: Promise<Buffer> | undefined;
	request.readRawBody = async () => {
		reading ??= buffer(request);
		request.rawBody = await reading;
	};
	next();
}

/**
 * Parses the body as n8n does for a trigger of version 2 or later: of a type that n8n does not know,
 * nothing is even read. XML, multipart forms and packed bodies, for which n8n has libraries of its own,
 * are left to the e2e tests.
 *
 * @throws AnswerError 422 when the body is not what its type says
 */
async function parseBody(request: Request): Promise<void> {
	const { contentType = '' } = request;
	if (!/^(application\/(json|x-www-form-urlencoded)|text\/plain)/.test(contentType)) return;
	await request.readRawBody();
	if (request.rawBody.length === 0) return;
	const text = request.rawBody.toString(request.encoding);
	try {
		if (contentType === 'application/json') request.body = JSON.parse(text);
		else request.body = contentType === 'text/plain' ? text : parseForm(text);
	} catch {
		throw new AnswerError(422, 'Failed to parse request body');
	}
}

/** The path as n8n looks it up: with or without a slash at its end. */
function pathOf(request: Request): string {
	const { path } = request.params;
	return (Array.isArray(path) ? path.join('/') : (path ?? '')).replace(/\/$/, '');
}

/** A request at a production address; the static data that it changed is saved before the answer. */
async function receiveProduction(n8n: N8n, request: Request, response: Response): Promise<void> {
	const key = `${request.method} ${pathOf(request)}`;
	const workflowId = n8n.rows.get(key) ?? '';
	const version = n8n.published.get(workflowId);
	if (!version) throw notRegistered(key);
	const staticData = n8n.readStaticData(workflowId);
	const nodeType = n8n.nextReceiver();
	const workflow = workflowOf(nodeType, workflowId, version, { active: true, staticData });
	const webhook = webhooksOf(n8n, workflow).find((candidate) => keyOf(candidate) === key);
	if (webhook === undefined) throw new Error('The published version lost its webhook');
	await execute(n8n, workflow, webhook, request, response, () => n8n.saveStaticData(workflow));
}

/** A request at a test address; one that starts an execution ends the test, after the answer. */
async function receiveTest(n8n: N8n, request: Request, response: Response): Promise<void> {
	const address = n8n.tests.get(`${request.method} ${pathOf(request)}`);
	if (!address) throw notRegistered(pathOf(request));
	const workflow = draftOf(n8n, address.webhook.workflowId, address.node);
	if (address.staticData) workflow.setTestStaticData(copyOf(address.staticData));
	const hasStarted = await execute(n8n, workflow, address.webhook, request, response);
	if (hasStarted) await endListen(n8n, workflow);
}

/**
 * Runs the node's `webhook()` and answers as n8n does.
 *
 * @param save keeps changed static data; n8n skips it when it answers with an error of its own
 * @returns whether an execution was started
 */
async function execute(
	n8n: N8n,
	workflow: Workflow,
	webhook: IWebhookData,
	request: Request,
	response: Response,
	save: () => void = () => undefined,
): Promise<boolean> {
	request.params = {};
	await parseBody(request).catch((error: unknown) => {
		throw error instanceof AnswerError ? error : couldNotExecute();
	});
	await n8n.beforeWebhook(response);
	const node = triggerOf(workflow);
	const mode = webhook.isTest === true ? 'manual' : 'webhook';
	const add = (items: INodeExecutionData[], more: { error?: unknown } = {}) => {
		const stored = copyOf({ workflowId: workflow.id, items, staticData: workflow.staticData });
		n8n.executions.push({ ...stored, mode, ...more });
	};
	const data = { ...serverDataFor(n8n, node), httpRequest: request, httpResponse: response };
	const context = new WebhookContext(workflow, node, data, mode, webhook, [], null);
	listenTo(context.logger);
	const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type);
	const result = await nodeType.webhook?.call(context).catch((error: unknown) => {
		const message = 'Workflow Webhook Error: Workflow could not be started!';
		response.status(500).json({ code: 0, message });
		add([{ json: {} }], { error });
		return true as const;
	});
	if (result === true) return true;
	if (result?.workflowData === undefined) {
		save();
		// Unless the node says that it has answered by itself, n8n does.
		if (result?.noWebhookResponse !== true) response.json({ message: 'Webhook call received' });
		return false;
	}
	// n8n makes a second `Workflow` of the same object, which takes its mark of change away, and then
	// stores the execution; what changes meanwhile is marked again.
	workflow.staticData['__dataChanged'] = false;
	await setTimeout(5);
	try {
		n8n.beforeExecution();
	} catch {
		throw couldNotExecute();
	}
	add(result.workflowData.flat());
	save();
	const { responseData } = webhook.webhookDescription;
	// The text of the description; it may be an expression.
	const values = [node, responseData, 'webhook', {}, undefined, 'firstEntryJson'] as const;
	response.send(workflow.expression.getComplexParameterValue(...values));
	return true;
}
