import type { INodeParameters } from 'n8n-workflow';

import {
	startSandbox,
	type RecordedRequest,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox';
import { execute, type CredentialData, type Execution, type Outcome } from './harness';

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

export interface SandboxInTest {
	/** The running sandbox. */
	readonly service: Sandbox;
	/** The requests that it saw, oldest first. */
	readonly requests: RecordedRequest[];
	/** Runs the node against it; what is not given is as a careful user has it. */
	run(execution?: Partial<Execution>): Promise<Outcome>;
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
	return {
		get service() {
			return service;
		},
		get requests() {
			return service.state.requests;
		},
		run: (execution = {}) =>
			execute({
				credentials: credentialsFor(service),
				...execution,
				parameters: { ...anyPage, ...execution.parameters },
			}),
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

export const register: INodeParameters = { resource: 'webhook', operation: 'register' };
