import type { AddressInfo } from 'node:net';
import type { SandboxContext } from './context';
import { DeliveryService } from './deliveries';
import { PaymentRefused, payPageWithDefaults } from './payments';
import type { Sandbox } from './sandbox';
import { apiPath, createServer } from './server';
import { changeSettings, initialSettings, type SettingsChange } from './settings';
import { emptyState, pagesWithReference } from './state';
import { loadState, StateFile } from './stateFile';

export { PaymentRefused, type PaymentDetails } from './payments';
export type { Delivery, DeliveryTry } from './deliveries';
export type { Sandbox } from './sandbox';
export type { RetrySettings, SandboxSettings, SettingsChange, SigningSettings } from './settings';
export type { Page, Payment, RecordedRequest, Registration, SandboxState } from './state';

export interface SandboxOptions extends SettingsChange {
	/** Port on 127.0.0.1; 0, the default, takes a free one. */
	port?: number;
	/** File that keeps pages and registration, so that the next start finds them again. */
	stateFile?: string;
}

/**
 * Starts a server on 127.0.0.1 that speaks the payment page interface and hosts the pages that it
 * creates. Rejects with the system's error (`code: 'EADDRINUSE'`) when the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, stateFile, ...startSettings } = options;
	const state = emptyState();
	if (stateFile) loadState(stateFile, state);
	const file = stateFile ? new StateFile(stateFile, state) : undefined;
	const context: SandboxContext = {
		settings: initialSettings(startSettings),
		state,
		deliveries: new DeliveryService(() => context.settings, state),
		url: '',
		changed: () => file?.changed(),
	};

	const sandbox: Sandbox = {
		get url() {
			return context.url;
		},
		get baseUrl() {
			return context.url + apiPath;
		},
		state,
		get settings() {
			return context.settings;
		},
		configure(change) {
			context.settings = changeSettings(context.settings, change);
		},
		async reset() {
			await context.deliveries.stop();
			state.pages.clear();
			Object.assign(state, { ...emptyState(), pages: state.pages });
			context.settings = initialSettings(startSettings);
			context.changed();
		},
		async pay(reference, details) {
			const page = pagesWithReference(state, reference)[0];
			if (!page) throw new PaymentRefused('page', `No payment page has the reference ${reference}`);
			const { payment, deliveries, tried } = payPageWithDefaults(context, page, details);
			await tried;
			return { payment, deliveries };
		},
		deliveriesSettled: () => context.deliveries.settled(),
		async stop() {
			await context.deliveries.stop();
			await server.close();
			await file?.settled();
		},
	};
	const server = createServer(context, sandbox);
	await server.listen({ host: '127.0.0.1', port });
	const address = server.server.address() as AddressInfo;
	context.url = `http://127.0.0.1:${address.port}`;
	return sandbox;
}
