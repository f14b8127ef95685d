import './harness/environment';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject, INode, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { startSandbox, type FaultRule, type Sandbox, type SandboxOptions } from '../../sandbox';
import { startAnsweringServer, type ServerAnswer } from '../support/answeringServer';
import type { CredentialData } from './harness/credentials';
import { clearLog, listenTo, logLines } from './harness/trigger/log';
import { nodeOf, startWorkflow } from './harness/workflow';

/** Fields that take the place of those in both credentials. */
export type CredentialChange = INodeParameters;

/** Both credentials, as a user of this sandbox fills them in. */
export function credentialsFor(
	{ baseUrl, settings: { merchantId, privateKey, apiKey } }: Sandbox,
	change: CredentialChange = {},
): CredentialData {
	return {
		paymentPagesPrivateKeyApi: { baseUrl, merchantId, privateKey, ...change },
		paymentPagesApiKeyApi: { baseUrl, merchantId, apiKey, webhookSecret: '', ...change },
	};
}

/** Create without a question and without an amount, for tests that ask about something else. */
export const anyPage: INodeParameters = { isFixedAmount: false, ifReferenceExists: 'create' };

/** Parameters of an operation that takes its fields from the incoming items. */
export function automatic(operation: string, more: INodeParameters = {}): INodeParameters {
	return { ...anyPage, operation, mappingMode: 'autoMapInputData', ...more };
}

/** What each operation takes: a row for all of them, and their parameters. */
export const anyRow = { pageName: 'A', paymentPageLinkReference: 'a' };
export const operations = {
	create: automatic('create'),
	skip: automatic('create', { ifReferenceExists: 'skip' }),
	update: automatic('update'),
	validate: { operation: 'validateReference', paymentPageLinkReference: 'a' },
	register: { resource: 'webhook', operation: 'register', webhookUrl: 'https://hooks.example/x' },
} satisfies Record<string, INodeParameters>;

export const operationNames = Object.keys(operations) as Array<keyof typeof operations>;

/** Create, with so many requests at once. */
export const atOnce = (maxParallelRequests: unknown) =>
	automatic('create', { options: { maxParallelRequests } as INodeParameters });
export const inTurn = atOnce(1);
export const continues = { onError: 'continueErrorOutput' } as const;
export const triesAgain = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** So many rows, each of a page of its own. */
export const pages = (count: number) =>
	Array.from({ length: count }, (_row, index) => ({
		pageName: `Page ${index}`,
		paymentPageLinkReference: `page-${index}`,
	}));

/** A fault that creates meet: those with these numbers, counted from 1, or all. */
export const failing = (kind: FaultRule['kind'], ...nth: number[]): FaultRule =>
	nth.length > 0 ? { endpoint: 'create', kind, nth } : { endpoint: 'create', kind };

/** n8n's own batches, with a moment between them. */
export const batches = (batchSize: number, batchInterval = 1) => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval } } },
});

/** The service's answer to the question for a reference. */
export function existing(isValid: boolean): ServerAnswer {
	return { body: `{"responseCode":"00","data":{"isValid":${isValid}}}` };
}

/** What a test says of a run of Rows -> Payment Page -> Look; the rest is as a careful user has it. */
export interface TestRun {
	rows?: IDataObject[]; // the items that reach the node; unless told, one that any operation takes
	parameters?: INodeParameters; // as a workflow stores them; unless told, a create of the row
	credential?: CredentialChange;
	onCredentialRead?: (itemIndex: number) => void; // told whenever one is read for an item
	settings?: Partial<INode>; // such as `retryOnFail` or `onError`
	lookAt?: string; // an expression for the nodes behind its two outputs
}

export type Outcome = ReturnType<typeof outcomeOf>;

function outcomeOf(run: IRun, rows: IDataObject[]) {
	const { runData, error } = run.data.resultData;
	const itemsOf = (node: string, index = 0) => runData[node]?.at(-1)?.data?.main?.[index] ?? [];
	const [output, errorOutput] = [itemsOf('Payment Page'), itemsOf('Payment Page', 1)];
	const isOf = (row: number) => (item: INodeExecutionData) =>
		(item.pairedItem as { item: number }).item === row;
	return {
		run,
		/** Of the node or of the whole execution, and all that a person is told of it. */
		error,
		told: error === undefined ? '' : `${error.message} ${error.description}`,
		/** Items at the main output and at the error output, and what `lookAt` gave behind each. */
		output,
		errorOutput,
		looked: itemsOf('Look').map(({ json }) => json.value),
		lookedAtError: itemsOf('Look at error').map(({ json }) => json.value),
		/** What came of each row, on whichever output. */
		results: rows.map((_row, row) => [...output, ...errorOutput].find(isOf(row))?.json ?? {}),
	};
}

/** `cancel` does what the stop button does. */
function startRun(credentials: CredentialData, given: TestRun) {
	const { rows = [anyRow], settings, lookAt = '', onCredentialRead } = given;
	const parameters = { ...anyPage, ...(given.parameters ?? operations.create) };
	const look = { parameters: { value: lookAt } };
	const run = startWorkflow({
		rows,
		nodes: [
			nodeOf('Payment Page', 'paymentPage', { parameters, ...settings }),
			nodeOf('Look', 'look', look),
			nodeOf('Look at error', 'look', look),
		],
		connections: [
			['Rows', 'Payment Page'],
			['Payment Page', 'Look'],
			['Payment Page', 'Look at error', 1],
		],
		credentials,
		onCredentialRead,
	});
	return { finished: run.then((ended) => outcomeOf(ended, rows)), cancel: () => run.cancel() };
}

export type SandboxInTest = ReturnType<typeof useSandbox>;

/** One sandbox for all tests of a file, empty at the start of each. */
export function useSandbox(options: SandboxOptions = {}) {
	let service: Sandbox;
	beforeAll(async () => {
		listenTo(Container.get(Logger));
		service = await startSandbox(options);
	});
	beforeEach(clearLog);
	afterEach(async () => await service.reset());
	afterAll(async () => await service.stop());

	const start = ({ credential, ...given }: TestRun = {}) =>
		startRun(credentialsFor(service, { webhookSecret: 'secret-8', ...credential }), given);
	const run = async (given: TestRun = {}) => await start(given).finished;
	return {
		get service() {
			return service;
		},
		/** The requests that it saw, oldest first; of those with a body, what is in it. */
		get requests() {
			return service.state.requests;
		},
		get methods() {
			return this.requests.map(({ method }) => method).join(' ');
		},
		get bodies() {
			const bodies = this.requests.map(({ body }) => body.toString()).filter(Boolean);
			return bodies.map((body) => JSON.parse(body) as IDataObject);
		},
		/** Of the pages that it has. */
		get references() {
			return [...service.state.pages.values()].map((page) => page.paymentPageLinkReference);
		},
		/** How often the node has sent a request again in this test: n8n's log alone tells. */
		get retries() {
			return logLines.filter(({ message }) => message.includes('retrying a request')).length;
		},
		fail: (...faults: FaultRule[]) => service.configure({ faults }),
		start,
		run,
		/** Runs the node against a server that answers so. */
		async runAt(answerTo: Parameters<typeof startAnsweringServer>[0], given: TestRun = {}) {
			const server = await startAnsweringServer(answerTo);
			const { baseUrl } = server;
			const outcome = await run({ ...given, credential: { baseUrl, ...given.credential } });
			await server.stop();
			return { ...outcome, sent: server.requests };
		},
	};
}
