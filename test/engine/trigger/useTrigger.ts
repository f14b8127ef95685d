import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox, SandboxOptions } from '../../../sandbox';
import { waitFor } from '../../../scripts/shared/waitFor';
import { send, type Answer } from '../../support/request';
import { addPage, registrations } from '../../support/service';
import { ManualClock } from '../harness/trigger/clock';
import { clearLog, logLines } from '../harness/trigger/log';
import { N8n } from '../harness/trigger/n8n';
import { addRoutes } from '../harness/trigger/receive';
import { TriggerWorkflow } from '../harness/trigger/triggerWorkflow';
import { credentialsFor, useSandbox, type CredentialChange } from '../sandbox';

export interface AskedRegistration {
	webhookUrl: string;
	secret: string;
}

export interface TriggerInTest {
	readonly n8n: N8n;
	/** The running sandbox. */
	readonly service: Sandbox;
	/** All registrations that the service was asked for in this test, oldest first. */
	readonly registrations: AskedRegistration[];
	/** Their addresses; `#` stands for any token. */
	readonly addresses: string[];
	/** The URL of the first of them, with its token. */
	readonly url: string;
	/** Where the service sends the events now, without the token. */
	readonly target: string | undefined;
	/** What nodes and their helpers have logged in this test. */
	logged(level: 'warn' | 'error'): string[];
	/** Stores a credential for this service under an ID, in place of one that it has already. */
	saveCredential(change?: CredentialChange & INodeParameters, id?: string): void;
	/** A workflow with the trigger as a careful user has it, and its credential. */
	workflow(options?: INodeParameters, credentialId?: string): TriggerWorkflow;
	/** The same, published. */
	published(options?: INodeParameters, credentialId?: string): Promise<TriggerWorkflow>;
	/** The service's event about a payment, at the registered address; gives the answer's status. */
	pay(): Promise<number | null | undefined>;
	/** The last of them, sent again. */
	payAgain(): Promise<number | null | undefined>;
	/** Any request to an address of n8n, as a stranger sends it. */
	post(url: string, body: string, headers?: Record<string, string>): Promise<Answer>;
	/** A request at the registered URL, whose sender is gone before the node is called. */
	sendAndLeave(body: string): Promise<void>;
}

const defaultCredential = 'api key';

/** One sandbox for all tests of a file, and for each test a new n8n; nothing is published. */
export function useTrigger(options: SandboxOptions = {}): TriggerInTest {
	// The service would try a rejected event again, while the next test runs.
	const sandbox = useSandbox({ retry: { maximumTries: 1 }, ...options });
	let n8n: N8n;

	beforeEach(async () => {
		clearLog();
		n8n = await N8n.start(new ManualClock(), addRoutes);
		trigger.saveCredential();
	});
	afterEach(async () => {
		// What is still going on would be logged in the next test.
		await n8n.clock.pass(0);
		n8n.clock.stop();
		await n8n.stop();
	});

	const trigger: TriggerInTest = {
		get n8n() {
			return n8n;
		},
		get service() {
			return sandbox.service;
		},
		get registrations() {
			return registrations(sandbox.service);
		},
		get addresses() {
			const urls = trigger.registrations.map(({ webhookUrl }) => webhookUrl);
			return urls.map((url) => url.replace(/token=[0-9a-f]{32}$/, 'token=#'));
		},
		get url() {
			return trigger.registrations[0]?.webhookUrl ?? 'nothing is registered';
		},
		get target() {
			return sandbox.service.state.registration?.webhookUrl.replace(/\/?(\?.*)?$/, '');
		},
		logged: (level) =>
			logLines.filter((line) => line.level === level).map(({ message }) => message),
		saveCredential(change = {}, id = defaultCredential) {
			const { paymentPagesApiKeyApi = {} } = credentialsFor(sandbox.service);
			n8n.credentials.set(id, { ...paymentPagesApiKeyApi, ...change });
		},
		workflow: (chosen = {}, credentialId = defaultCredential) =>
			new TriggerWorkflow(n8n, { options: chosen, credentialId }),
		async published(...chosen) {
			const workflow = trigger.workflow(...chosen);
			await workflow.publish();
			return workflow;
		},
		async pay() {
			const reference = `page-${sandbox.service.state.pages.size}`;
			await addPage(sandbox.service, reference);
			const { deliveries } = await sandbox.service.pay(reference);
			return deliveries[0]?.tries[0]?.status;
		},
		async payAgain() {
			const id = sandbox.service.state.deliveries.at(-1)?.id ?? '';
			return (await sandbox.service.resend(id)).tries[0]?.status;
		},
		post: async (url, body, headers = {}) =>
			await send(url, { body, headers: { 'content-type': 'application/json', ...headers } }),
		async sendAndLeave(body) {
			const controller = new AbortController();
			n8n.beforeWebhook = async (response) => {
				n8n.beforeWebhook = () => undefined;
				controller.abort();
				await waitFor(() => response.closed, { what: 'the end', intervalMilliseconds: 1 });
			};
			const sent = fetch(trigger.url, { method: 'POST', body, signal: controller.signal });
			await expect(sent).rejects.toThrow();
		},
	};
	return trigger;
}

export function withToken({ productionUrl }: TriggerWorkflow): string {
	return `${productionUrl}?token=#`;
}
