import type { INodeParameters } from 'n8n-workflow';

import type { SandboxOptions } from '../../../sandbox';
import { send, type Answer } from '../../support/request';
import { addPage, firstStatus, registrations } from '../../support/service';
import { ManualClock } from '../harness/trigger/clock';
import { clearLog, logLines } from '../harness/trigger/log';
import { N8n } from '../harness/trigger/n8n';
import { addRoutes } from '../harness/trigger/receive';
import { TriggerWorkflow } from '../harness/trigger/triggerWorkflow';
import { credentialsFor, useSandbox, type CredentialChange } from '../sandbox';

type Status = number | null | undefined;

/** One sandbox for all tests of a file, and for each test a new n8n; nothing is published. */
export function useTrigger(options: SandboxOptions = {}) {
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

	const trigger = {
		get n8n(): N8n {
			return n8n;
		},
		get service() {
			return sandbox.service;
		},
		/** All registrations that the service was asked for in this test, oldest first. */
		get registrations() {
			return registrations(sandbox.service);
		},
		/** Their addresses; `#` stands for any token. */
		get addresses(): string[] {
			const urls = registrations(sandbox.service).map(({ webhookUrl }) => webhookUrl);
			return urls.map((url) => url.replace(/token=[0-9a-f]{32}$/, 'token=#'));
		},
		/** The URL of the first of them, with its token. */
		get url(): string {
			return registrations(sandbox.service)[0]?.webhookUrl ?? 'nothing is registered';
		},
		/** Where the service sends the events now, without the token. */
		get target(): string | undefined {
			return sandbox.service.state.registration?.webhookUrl.replace(/\/?(\?.*)?$/, '');
		},
		/** What nodes and their helpers have logged in this test. */
		logged: (level: 'warn' | 'error'): string[] =>
			logLines.filter((line) => line.level === level).map(({ message }) => message),
		/** Stores a credential for this service under an ID, in place of one that it has already. */
		saveCredential(change: CredentialChange = {}, id = defaultCredential): void {
			const { paymentPagesApiKeyApi = {} } = credentialsFor(sandbox.service);
			n8n.credentials.set(id, { ...paymentPagesApiKeyApi, ...change });
		},
		/** For a credential: the same service under another name, which makes it another merchant's. */
		get otherMerchant() {
			return { baseUrl: sandbox.service.baseUrl.replace('127.0.0.1', 'localhost') };
		},
		/** A workflow with the trigger as a careful user has it, and its credential. */
		workflow: (chosen: INodeParameters = {}): TriggerWorkflow =>
			new TriggerWorkflow(n8n, { options: chosen, credentialId: defaultCredential }),
		/** The same, published. */
		async published(chosen?: INodeParameters): Promise<TriggerWorkflow> {
			const workflow = trigger.workflow(chosen);
			await workflow.publish();
			return workflow;
		},
		/** The service's event about a payment, at the registered address; gives the answer's status. */
		async pay(): Promise<Status> {
			const reference = `page-${sandbox.service.state.pages.size}`;
			await addPage(sandbox.service, reference);
			return firstStatus((await sandbox.service.pay(reference)).deliveries[0]);
		},
		/** The last of them, sent again. */
		async payAgain(): Promise<Status> {
			const id = sandbox.service.state.deliveries.at(-1)?.id ?? '';
			return firstStatus(await sandbox.service.resend(id));
		},
		/** Any request to an address of n8n, as a stranger sends it. */
		post: (url: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
			send(url, { body, headers: { 'content-type': 'application/json', ...headers } }),
	};
	return trigger;
}

const defaultCredential = 'api key';

export const withToken = ({ productionUrl }: TriggerWorkflow) => `${productionUrl}?token=#`;
