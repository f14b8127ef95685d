import { type DeliveryOrder, DeliveryService } from './deliveries';
import { FaultPlan } from './faults';
import { type ForgeOptions, type ForgeryKind, forgeryOrder } from './forgeries';
import {
	callbackOrder,
	eventOrder,
	newPayment,
	type PaymentDetails,
	paymentOrders,
	PaymentRejected,
} from './payments';
import {
	changeSettings,
	initialSettings,
	type SandboxSettings,
	type SettingsChange,
} from './settings';
import {
	type Delivery,
	pagesWithReference,
	type Page,
	type Payment,
	type Registration,
	remember,
	SandboxState,
} from './state';
import { Waits } from './waits';

/** Where the service's interface lives; an address without it meets a web page, as in real life. */
export const apiPath = '/api';
const paymentLimit = 20_000;

/** Something that was asked of the sandbox but cannot be done now; answered with HTTP 409. */
export class NotPossible extends Error {
	readonly statusCode = 409;
}

/** A payment, with what the service sends because of it. */
type PaymentResult = { payment: Payment; deliveries: Delivery[] };

/** A running sandbox: what it remembers, how it behaves, and what one can do with it. */
export class Sandbox {
	url = ''; // of the status page and the hosted pages, `http://127.0.0.1:PORT`
	settings: SandboxSettings; // the settings as they are now; change them with `configure`
	readonly state = new SandboxState();
	/** Ended by a reset and by the stop. */
	readonly waits = new Waits();
	faultPlan: FaultPlan; // the faults that the settings ask for, with their counters
	/** Closes the HTTP server; set by `startSandbox`. */
	closeServer: () => Promise<void> = async () => undefined;
	private readonly sender = new DeliveryService(() => this.settings, this.state, this.waits);

	constructor(private readonly startSettings: SettingsChange) {
		this.settings = initialSettings(startSettings);
		this.faultPlan = new FaultPlan(this.settings);
	}

	/** Base URL of the service's interface, `<url>/api`. */
	get baseUrl(): string {
		return this.url + apiPath;
	}

	/** The faults with their counters: requests seen, and faults made. */
	get faults(): FaultPlan['entries'] {
		return this.faultPlan.entries;
	}

	/** Changes settings; `signing` and `retry` are merged, `faults` is replaced. */
	configure(change: SettingsChange): void {
		this.settings = changeSettings(this.settings, change);
		if (change.faults || change.seed !== undefined) this.faultPlan = new FaultPlan(this.settings);
	}

	/** Forgets pages, registration and logs, and goes back to the settings of the start. */
	async reset(): Promise<void> {
		this.waits.interrupt();
		await this.deliveriesSettled();
		this.state.pages.clear();
		Object.assign(this.state, new SandboxState(), { pages: this.state.pages });
		this.settings = initialSettings(this.startSettings);
		this.faultPlan = new FaultPlan(this.settings);
	}

	/**
	 * Pays the oldest page with the reference, with made-up details where some are needed and not given,
	 * and resolves when each delivery was tried once. Throws `PaymentRejected`.
	 */
	async pay(reference: string, details: PaymentDetails = {}): Promise<PaymentResult> {
		const page = pagesWithReference(this, reference)[0];
		if (!page) throw new PaymentRejected('page', `No payment page has the reference ${reference}`);
		const { tried, ...result } = this.payPage(page, {
			amount: details.amount ?? page.amount ?? 100,
			phoneNumber: details.phoneNumber ?? (page.isPhoneNumberRequired ? '+1 555 0100' : undefined),
		});
		await tried;
		return result;
	}

	/** Pays a page as a payer does; `tried` resolves when each delivery was tried once. */
	payPage(page: Page, details: PaymentDetails): PaymentResult & { tried: Promise<unknown> } {
		const payment = newPayment(page, details);
		remember(this.state.payments, payment, paymentLimit);
		const orders = paymentOrders(this.settings, this.state.registration, page, payment);
		const sent = orders.map((order) => this.sender.send(order));
		const tried = Promise.all(sent.map(({ firstTry }) => firstTry));
		return { payment, deliveries: sent.map(({ delivery }) => delivery), tried };
	}

	/** Sends an event or a callback again, signed again, and tries it once. Throws `NotPossible`. */
	async resend(deliveryId: string): Promise<Delivery> {
		const delivery = this.state.deliveries.find(({ id }) => id === deliveryId);
		if (!delivery) throw new NotPossible(`There is no delivery ${deliveryId}.`);
		const { kind, url, body, paymentPageLinkReference } = delivery;
		if (kind === 'forgery') {
			throw new NotPossible('A forged event cannot be sent again. Send another one.');
		}
		const again = () => eventOrder(this.settings, this.requireRegistration(), body);
		const order = kind === 'callback' ? callbackOrder(url, body) : again();
		return this.sendOnce({ ...order, paymentPageLinkReference, resendOf: delivery.id });
	}

	/** Sends a forged event to the registered webhook, once. Throws `NotPossible` without one. */
	async forge(kind: ForgeryKind, options?: ForgeOptions): Promise<Delivery> {
		const registration = this.requireRegistration();
		return this.sendOnce(forgeryOrder(this.settings, registration, kind, options));
	}

	/** Resolves when no delivery is in progress or waiting for another try. */
	deliveriesSettled(): Promise<void> {
		return this.sender.settled();
	}

	/** Ends all waits and closes the server. */
	async stop(): Promise<void> {
		this.waits.interrupt();
		await this.deliveriesSettled();
		await this.closeServer();
	}

	private requireRegistration(): Registration {
		const { registration } = this.state;
		if (registration) return registration;
		throw new NotPossible('No webhook is registered, so nothing can receive the event.');
	}

	private async sendOnce(order: DeliveryOrder): Promise<Delivery> {
		const { delivery, firstTry } = this.sender.send(order);
		await firstTry;
		return delivery;
	}
}
