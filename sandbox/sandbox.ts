import type { FaultPlan } from './faults';
import type { ForgeOptions } from './forge';
import type { ForgeryKind } from './forgeries';
import type { PaymentDetails, PaymentResult } from './payments';
import type { SandboxSettings, SettingsChange } from './settings';
import type { Delivery, SandboxState } from './state';

/** A running sandbox. */
export interface Sandbox {
	/** Address of the status page and the hosted pages, `http://127.0.0.1:PORT`. */
	readonly url: string;
	/** Base URL of the service's interface, `<url>/api`. */
	readonly baseUrl: string;
	readonly state: SandboxState;
	/** The settings as they are now; change them with `configure`. */
	readonly settings: SandboxSettings;
	/** The faults with their counters: requests seen, and faults made. */
	readonly faults: FaultPlan['entries'];
	/** Changes settings; `signing` and `retry` are merged, `faults` is replaced. */
	configure(change: SettingsChange): void;
	/** Forgets pages, registration and logs, and goes back to the settings of the start. */
	reset(): Promise<void>;
	/**
	 * Pays the oldest page with the reference, and resolves when the call of its `callBackUrl` and
	 * the webhook event were tried once. Throws `PaymentRefused`.
	 */
	pay(
		reference: string,
		details?: PaymentDetails,
	): Promise<Pick<PaymentResult, 'payment' | 'deliveries'>>;
	/**
	 * Sends an event or callback again and resolves when it was tried once. Throws `NotPossible`.
	 */
	resend(deliveryId: string): Promise<Delivery>;
	/**
	 * Sends a forged event to the registered webhook and resolves when it was answered or failed;
	 * `forgeries` says which kinds there are. Throws `NotPossible` when no webhook is registered.
	 */
	forge(kind: ForgeryKind, options?: ForgeOptions): Promise<Delivery>;
	/** Resolves when no delivery is under way or waiting for another try. */
	deliveriesSettled(): Promise<void>;
	/** Ends all waits and closes the server. */
	stop(): Promise<void>;
}
