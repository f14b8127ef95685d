import { setTimeout } from 'node:timers/promises';
import type { Express, Request, Response } from 'express';
import { WebhookContext } from 'n8n-core';
import type { IWebhookData, IWebhookResponseData, Workflow } from 'n8n-workflow';

import { listenTo } from './log';
import { copyOf, type N8n } from './n8n';
import { AnswerError, parseBody } from './request';
import { draftOf, endListen } from './testListen';
import { serverDataFor, triggerOf, webhooksOf, workflowOf } from './workflowOf';

/** Answers a failed request; what is none of n8n's own errors has code 0 and status 500. */
function answerError(response: Response, error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	const { status, code } =
		error instanceof AnswerError ? { status: error.code, code: error.code } : couldNot;
	response.status(status).json({ code, message });
}

const couldNot = { status: 500, code: 0 };

/** The path as n8n looks it up: with or without a slash at its end. */
function pathOf(request: Request): string {
	const { path } = request.params;
	return (Array.isArray(path) ? path.join('/') : (path ?? '')).replace(/\/$/, '');
}

/** A request at a production address; the static data that it changed is saved before the answer. */
async function receiveProduction(n8n: N8n, request: Request, response: Response): Promise<void> {
	const { method } = request;
	const path = pathOf(request);
	const row = n8n.findRow(method, path);
	const version = row && n8n.published.get(row.workflowId);
	if (!version)
		throw new AnswerError(404, `The requested webhook "${method} ${path}" is not registered.`);
	const { workflowId } = row;
	const staticData = n8n.readStaticData(workflowId);
	const nodeType = n8n.nextReceiver();
	const workflow = workflowOf(nodeType, workflowId, version, { active: true, staticData });
	const webhook = webhooksOf(n8n, workflow).find(
		(candidate) => candidate.httpMethod === method && candidate.path === path,
	);
	if (webhook === undefined) throw new Error('The published version lost its webhook');
	await execute(n8n, workflow, webhook, request, response, () => n8n.saveStaticData(workflow));
}

/** A request at a test address; one that starts an execution ends the test, after the answer. */
async function receiveTest(n8n: N8n, request: Request, response: Response): Promise<void> {
	const { method } = request;
	const path = pathOf(request);
	const address = n8n.findTest(method, path);
	if (!address) throw new AnswerError(404, `The requested webhook "${path}" is not registered.`);
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
	let result: IWebhookResponseData;
	try {
		result = await runWebhook(n8n, workflow, webhook, request, response);
	} catch (error) {
		response.status(500).json({
			code: 0,
			message: 'Workflow Webhook Error: Workflow could not be started!',
		});
		n8n.addExecution(workflow, webhook, [[{ json: {} }]], error);
		return true;
	}
	const { noWebhookResponse, workflowData } = result;
	if (noWebhookResponse === true || workflowData === undefined) save();
	if (noWebhookResponse !== true && workflowData === undefined) {
		response.json(result.webhookResponse ?? { message: 'Webhook call received' });
	}
	if (workflowData === undefined) return false;
	// n8n makes a second `Workflow` of the same object, which takes its mark of change away, and then
	// stores the execution; what changes meanwhile is marked again.
	workflow.staticData['__dataChanged'] = false;
	await setTimeout(5);
	try {
		await n8n.beforeExecution();
	} catch {
		throw couldNotExecute();
	}
	n8n.addExecution(workflow, webhook, workflowData);
	if (noWebhookResponse !== true) {
		save();
		response.send(responseDataOf(workflow, webhook, result));
	}
	return true;
}

async function runWebhook(
	n8n: N8n,
	workflow: Workflow,
	webhook: IWebhookData,
	request: Request,
	response: Response,
): Promise<IWebhookResponseData> {
	const node = triggerOf(workflow);
	const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type);
	const data = { ...serverDataFor(n8n, node), httpRequest: request, httpResponse: response };
	const mode = webhook.isTest === true ? 'manual' : 'webhook';
	const context = new WebhookContext(workflow, node, data, mode, webhook, [], null);
	listenTo(context.logger);
	const result = await nodeType.webhook?.call(context);
	if (result === undefined) throw new Error('The node has no webhook()');
	return result;
}

/** The text that a webhook with `onReceived` answers once the execution is stored. */
function responseDataOf(
	workflow: Workflow,
	{ webhookDescription }: IWebhookData,
	{ webhookResponse }: IWebhookResponseData,
): unknown {
	const { responseMode, responseData } = webhookDescription;
	if (responseMode !== 'onReceived') throw new Error('These tests know only onReceived');
	const text = workflow.expression.getComplexParameterValue(
		triggerOf(workflow),
		responseData,
		'webhook',
		{},
		undefined,
		'firstEntryJson',
	);
	if (text === 'noData') return undefined;
	return text ?? webhookResponse ?? { message: 'Workflow was started' };
}

function couldNotExecute(): Error {
	return new Error('There was a problem executing the workflow');
}

/** The addresses of n8n that triggers have. */
export function addRoutes(app: Express, n8n: N8n): void {
	const route = (receive: typeof receiveTest) => (request: Request, response: Response) => {
		void receive(n8n, request, response).catch((error: unknown) => {
			// A test is ended after the answer; what fails then, n8n can only log.
			if (response.headersSent) n8n.hookFailures.push(error);
			else answerError(response, error);
		});
	};
	app.all('/webhook/*path', route(receiveProduction));
	app.all('/webhook-test/*path', route(receiveTest));
}
