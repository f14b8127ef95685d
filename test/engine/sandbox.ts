import type {
	ExecutionError,
	IConnection,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
} from 'n8n-workflow';

import {
	startSandbox,
	type FaultRule,
	type RecordedRequest,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox';
import {
	startAnsweringServer,
	type ServerAnswer,
	type ServerRequest,
} from '../support/answeringServer';
import type { CredentialData } from './harness/credentials';
import { lookNode, rowsNode } from './harness/helperNodes';
import { loadPaymentPage } from './harness/nodeTypes';
import { credentialsOf, nodeOf, startWorkflow } from './harness/workflow';

/** Fields that both credential types have the same; `keys` replace the right ones. */
export interface CredentialChange {
	baseUrl?: string;
	merchantId?: string;
	privateKey?: string;
	apiKey?: string;
	webhookSecret?: string;
	allowUnauthorizedCerts?: boolean | string;
	allowedHttpRequestDomains?: string;
	allowedDomains?: string;
}

/** Both credentials, as a user of this sandbox fills them in. */
export function credentialsFor(sandbox: Sandbox, change: CredentialChange = {}): CredentialData {
	const { baseUrl, settings } = sandbox;
	const { merchantId, privateKey, apiKey } = settings;
	return {
		paymentPagesPrivateKeyApi: { baseUrl, merchantId, privateKey, ...change },
		paymentPagesApiKeyApi: { baseUrl, merchantId, apiKey, webhookSecret: '', ...change },
	};
}

/** What a test says of a run of Rows -> Payment Page -> Look; the rest is as a careful user has it. */
export interface TestRun {
	/** The items that reach the node "Payment Page". */
	rows?: IDataObject[];
	/** Its parameters, as a workflow stores them: what is missing has its default. */
	parameters?: INodeParameters;
	credential?: CredentialChange;
	/** Told whenever a credential is read for an item. */
	onCredentialRead?: (itemIndex: number) => void;
	/** Its settings, such as `retryOnFail` or `onError`. */
	settings?: Partial<INode>;
	/** An expression for the nodes behind its two outputs. */
	lookAt?: string;
}

export interface Outcome {
	run: IRun;
	/** Of the node or of the whole execution. */
	error?: ExecutionError;
	/** Items at the main output and at the error output, and what `lookAt` gave behind each. */
	output: INodeExecutionData[];
	errorOutput: INodeExecutionData[];
	looked: unknown[];
	lookedAtError: unknown[];
}

export interface StartedExecution {
	finished: Promise<Outcome>;
	/** What the stop button does. */
	cancel(): void;
}

export interface SandboxInTest {
	/** The running sandbox. */
	readonly service: Sandbox;
	/** The requests that it saw, oldest first; of those with a body, what is in it. */
	readonly requests: RecordedRequest[];
	readonly methods: string[];
	readonly bodies: IDataObject[];
	/** Of the pages that it has. */
	readonly references: string[];
	fail(...faults: FaultRule[]): void;
	start(run?: TestRun): StartedExecution;
	run(run?: TestRun): Promise<Outcome>;
	/** Runs the node against a server that answers so. */
	runAt(
		answerTo: (request: ServerRequest, count: number) => ServerAnswer | Promise<ServerAnswer>,
		run?: TestRun,
	): Promise<Outcome & { sent: ServerRequest[] }>;
}

function outcomeOf(run: IRun): Outcome {
	const { runData, error } = run.data.resultData;
	const itemsOf = (node: string, output: number): INodeExecutionData[] =>
		runData[node]?.at(-1)?.data?.main?.[output] ?? [];
	return {
		run,
		...(error === undefined ? {} : { error }),
		output: itemsOf('Payment Page', 0),
		errorOutput: itemsOf('Payment Page', 1),
		looked: itemsOf('Look', 0).map(({ json }) => json.value),
		lookedAtError: itemsOf('Look at error', 0).map(({ json }) => json.value),
	};
}

function startRun(credentials: CredentialData, given: TestRun): StartedExecution {
	const { rows = [{}], parameters, settings, lookAt: value = '', onCredentialRead } = given;
	const to = (node: string): IConnection[] => [{ node, type: 'main', index: 0 }];
	const run = startWorkflow({
		nodes: [
			nodeOf('Rows', 'rows'),
			nodeOf('Payment Page', 'paymentPage', {
				parameters: { ...anyPage, ...parameters },
				credentials: credentialsOf(credentials),
				...settings,
			}),
			nodeOf('Look', 'look', { parameters: { value } }),
			nodeOf('Look at error', 'look', { parameters: { value } }),
		],
		connections: {
			Rows: { main: [to('Payment Page')] },
			'Payment Page': { main: [to('Look'), to('Look at error')] },
		},
		nodeTypes: { rows: rowsNode(rows), look: lookNode, paymentPage: loadPaymentPage() },
		credentials,
		onCredentialRead,
	});
	return { finished: run.then(outcomeOf), cancel: () => run.cancel() };
}

/** One sandbox for all tests of a file, empty at the start of each. */
export function useSandbox(options: SandboxOptions = {}): SandboxInTest {
	let service: Sandbox;
	beforeAll(async () => {
		service = await startSandbox(options);
	});
	afterEach(async () => {
		await service.reset();
	});
	afterAll(async () => {
		await service.stop();
	});
	const start = ({ credential, ...given }: TestRun = {}) =>
		startRun(credentialsFor(service, { webhookSecret: 'secret-8', ...credential }), given);
	const run = async (given: TestRun = {}) => await start(given).finished;
	return {
		get service() {
			return service;
		},
		get requests() {
			return service.state.requests;
		},
		get methods() {
			return service.state.requests.map(({ method }) => method);
		},
		get bodies() {
			const bodies = service.state.requests.map(({ body }) => body.toString());
			return bodies.filter(Boolean).map((body) => JSON.parse(body) as IDataObject);
		},
		get references() {
			return [...service.state.pages.values()].map((page) => page.paymentPageLinkReference);
		},
		fail: (...faults) => service.configure({ faults }),
		start,
		run,
		async runAt(answerTo, given = {}) {
			let count = 0;
			const server = await startAnsweringServer((request) => answerTo(request, ++count));
			const credential = { baseUrl: server.baseUrl, ...given.credential };
			const outcome = await run({ ...given, credential });
			await server.stop();
			return { ...outcome, sent: server.requests };
		},
	};
}

/** Create without a question and without an amount, for tests that ask about something else. */
export const anyPage: INodeParameters = { isFixedAmount: false, ifReferenceExists: 'create' };

/** Parameters of an operation that takes its fields from the incoming items. */
export function automatic(
	operation: string,
	{ maxParallelRequests, ...more }: INodeParameters = {},
): INodeParameters {
	const options = maxParallelRequests === undefined ? {} : { maxParallelRequests };
	return { ...anyPage, operation, mappingMode: 'autoMapInputData', options, ...more };
}

/** What each operation takes: a row for all of them, and their parameters. */
export const anyRow = { pageName: 'A', paymentPageLinkReference: 'a' };
export const operations = {
	create: automatic('create'),
	skip: automatic('create', { ifReferenceExists: 'skip' }),
	update: automatic('update'),
	validate: { operation: 'validateReference', paymentPageLinkReference: 'a' },
	register: {
		resource: 'webhook',
		operation: 'register',
		webhookUrl: 'https://hooks.shop.example/x',
	},
} satisfies Record<string, INodeParameters>;

/** The service's answer to the question for a reference. */
export function existing(isValid: boolean): ServerAnswer {
	return { body: `{"responseCode":"00","data":{"isValid":${isValid}}}` };
}

/** All that a person is told of a failure. */
export function told({ error }: Outcome): string {
	return `${error?.message} ${error?.description}`;
}

export const continues = { onError: 'continueErrorOutput' } as const;
export const triesAgain = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
