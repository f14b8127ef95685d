import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox, SandboxOptions } from '../../../sandbox';
import { send, type Answer } from '../../e2e/support/request';
import { addPage, registrations } from '../../e2e/support/triggerWorkflow';
import { clearLog, logLines, type LogLine } from '../harness/trigger/log';
import { N8n } from '../harness/trigger/n8n';
import { TriggerWorkflow, type DraftChange, type Place } from '../harness/trigger/triggerWorkflow';
import { credentialsFor, useSandbox, type CredentialChange } from '../sandbox';

export interface AskedRegistration {
	webhookUrl: string;
	secret: string;
}

export interface TriggerInTest {
	readonly n8n: N8n;
	/** The running sandbox. */
	readonly service: Sandbox;
	/** What was logged in this test, by nodes and their helpers. */
	readonly log: LogLine[];
	/** All registrations that the service was asked for in this test, oldest first. */
	readonly registrations: AskedRegistration[];
	/** Stores a credential for this service under an ID, in place of one that it has already. */
	saveCredential(id: string, change?: CredentialChange & INodeParameters): void;
	/** A workflow with the trigger as a careful user has it; its credential is named `api key`. */
	workflow(draft?: DraftChange & Place): TriggerWorkflow;
	/** The service's event about a payment, at the registered address; gives the answer's status. */
	pay(): Promise<number | null | undefined>;
	/** Any request to an address of n8n, as a stranger sends it. */
	post(url: string, body: string, headers?: Record<string, string>): Promise<Answer>;
}

const defaultCredential = 'api key';

/** One sandbox for all tests of a file, and for each test a new n8n; nothing is published. */
export function useTrigger(options: SandboxOptions = {}): TriggerInTest {
	// The service would try a refused event again, while the next test runs.
	const sandbox = useSandbox({ retry: { maximumTries: 1 }, ...options });
	let n8n: N8n;

	function saveCredential(id: string, change: CredentialChange & INodeParameters = {}): void {
		const { paymentPagesApiKeyApi = {} } = credentialsFor(sandbox.service);
		n8n.credentials.set(id, { ...paymentPagesApiKeyApi, ...change });
	}

	beforeEach(async () => {
		clearLog();
		n8n = await N8n.start();
		saveCredential(defaultCredential);
	});
	afterEach(async () => {
		await n8n.stop();
	});

	return {
		get n8n() {
			return n8n;
		},
		get service() {
			return sandbox.service;
		},
		log: logLines,
		get registrations() {
			return registrations(sandbox.service).map(({ webhookUrl, secret }) => ({
				webhookUrl,
				secret,
			}));
		},
		saveCredential,
		workflow: (draft = {}) =>
			new TriggerWorkflow(n8n, { credentialId: defaultCredential, ...draft }),
		async pay() {
			const reference = `page-${sandbox.service.state.pages.size}`;
			await addPage(sandbox.service, reference);
			const { deliveries } = await sandbox.service.pay(reference);
			return deliveries[0]?.tries[0]?.status;
		},
		post: async (url, body, headers = {}) =>
			await send(url, { body, headers: { 'content-type': 'application/json', ...headers } }),
	};
}
