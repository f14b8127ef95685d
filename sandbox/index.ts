import type { AddressInfo } from 'node:net';
import type { SandboxContext } from './context';
import { type DeliveryOrder, DeliveryService } from './deliveries';
import { FaultPlan } from './faults';
import { forgeryOrder } from './forge';
import { PaymentRefused, payPageWithDefaults } from './payments';
import { resendOrder } from './resend';
import type { Sandbox } from './sandbox';
import { apiPath, createServer } from './server';
import { changeSettings, initialSettings, type SettingsChange } from './settings';
import { type Delivery, emptyState, pagesWithReference } from './state';
import { Waits } from './waits';

export type { FaultKind, FaultRule } from './faults';
export { forgeries, forgeryKinds } from './forgeries';
export { mixedFaults } from './mixedFaults';
export { NotPossible } from './notPossible';
export { PaymentRefused } from './payments';
export type { Sandbox } from './sandbox';
export type { SettingsChange } from './settings';
export type { Delivery, DeliveryTry, RecordedRequest } from './state';

export interface SandboxOptions extends SettingsChange {
	/** Port on 127.0.0.1; 0, the default, takes a free one. */
	port?: number;
}

/**
 * Starts a server on 127.0.0.1 that speaks the payment page interface and hosts the pages that it
 * creates. Rejects with the system's error (`code: 'EADDRINUSE'`) when the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, ...startSettings } = options;
	const state = emptyState();
	const settings = initialSettings(startSettings);
	const waits = new Waits();
	const context: SandboxContext = {
		settings,
		state,
		deliveries: new DeliveryService(() => context.settings, state, waits),
		faultPlan: new FaultPlan(settings.faults, settings.seed),
		waits,
		url: '',
	};

	const startFaults = (): void => {
		context.faultPlan = new FaultPlan(context.settings.faults, context.settings.seed);
	};
	const sendOnce = async (order: DeliveryOrder): Promise<Delivery> => {
		const { delivery, firstTry } = context.deliveries.send(order);
		await firstTry;
		return delivery;
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
		get faults() {
			return context.faultPlan.entries;
		},
		configure(change) {
			context.settings = changeSettings(context.settings, change);
			if (change.faults || change.seed !== undefined) startFaults();
		},
		async reset() {
			waits.interrupt();
			await context.deliveries.settled();
			state.pages.clear();
			Object.assign(state, { ...emptyState(), pages: state.pages });
			context.settings = initialSettings(startSettings);
			startFaults();
		},
		async pay(reference, details) {
			const page = pagesWithReference(context, reference)[0];
			if (!page) throw new PaymentRefused('page', `No payment page has the reference ${reference}`);
			const { payment, deliveries, tried } = payPageWithDefaults(context, page, details);
			await tried;
			return { payment, deliveries };
		},
		resend: async (deliveryId) => sendOnce(resendOrder(context, deliveryId)),
		forge: async (kind, options) => sendOnce(forgeryOrder(context, kind, options)),
		deliveriesSettled: () => context.deliveries.settled(),
		async stop() {
			waits.interrupt();
			await context.deliveries.settled();
			await server.close();
		},
	};
	const server = createServer(context, sandbox);
	await server.listen({ host: '127.0.0.1', port });
	const address = server.server.address() as AddressInfo;
	context.url = `http://127.0.0.1:${address.port}`;
	return sandbox;
}
