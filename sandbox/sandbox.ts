import type { PaymentDetails, PaymentResult } from './payments';
import type { SandboxSettings, SettingsChange } from './settings';
import type { SandboxState } from './state';

/** A running sandbox. */
export interface Sandbox {
	/** Address of the status page and the hosted pages, `http://127.0.0.1:PORT`. */
	readonly url: string;
	/** Base URL of the service's interface, `<url>/api`. */
	readonly baseUrl: string;
	readonly state: SandboxState;
	/** The settings as they are now; change them with `configure`. */
	readonly settings: SandboxSettings;
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
	/** Resolves when no delivery is under way or waiting for another try. */
	deliveriesSettled(): Promise<void>;
	/** Ends all waits and closes the server. */
	stop(): Promise<void>;
}
