import { setTimeout } from 'node:timers/promises';
import type { Express, Request, Response } from 'express';
import { WebhookContext } from 'n8n-core';
import type {
	INodeExecutionData,
	IWebhookData,
	IWebhookResponseData,
	Workflow,
} from 'n8n-workflow';

import { listenTo } from './log';
import { copyOf, keyOf, type N8n } from './n8n';
import { AnswerError, parseBody } from './request';
import { draftOf, endListen } from './testListen';
import { serverDataFor, triggerOf, webhooksOf, workflowOf } from './workflowOf';

/** Answers a failed request; what is none of n8n's own errors has code 0 and status 500. */
function answerError(response: Response, error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	const code = error instanceof AnswerError ? error.code : 0;
	response.status(code || 500).json({ code, message });
}

/** The path as n8n looks it up: with or without a slash at its end. */
function pathOf(request: Request): string {
	const { path } = request.params;
	return (Array.isArray(path) ? path.join('/') : (path ?? '')).replace(/\/$/, '');
}

function notRegistered(what: string): Error {
	return new AnswerError(404, `The requested webhook "${what}" is not registered.`);
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
	const add = (workflowData: INodeExecutionData[][], more: { error?: unknown } = {}) =>
		n8n.executions.push({
			workflowId: workflow.id,
			mode,
			items: copyOf(workflowData.flat()),
			staticData: copyOf(workflow.staticData),
			...more,
		});
	const data = { ...serverDataFor(n8n, node), httpRequest: request, httpResponse: response };
	const context = new WebhookContext(workflow, node, data, mode, webhook, [], null);
	listenTo(context.logger);
	let result: IWebhookResponseData | undefined;
	try {
		result = await workflow.nodeTypes.getByNameAndVersion(node.type).webhook?.call(context);
	} catch (error) {
		response.status(500).json({
			code: 0,
			message: 'Workflow Webhook Error: Workflow could not be started!',
		});
		add([[{ json: {} }]], { error });
		return true;
	}
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
		await n8n.beforeExecution();
	} catch {
		throw couldNotExecute();
	}
	add(result.workflowData);
	save();
	const { responseData } = webhook.webhookDescription;
	const { expression } = workflow;
	// The text of the description; it may be an expression.
	const values = [node, responseData, 'webhook', {}, undefined, 'firstEntryJson'] as const;
	response.send(expression.getComplexParameterValue(...values));
	return true;
}

const couldNotExecute = () => new Error('There was a problem executing the workflow');

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
