import type { DeliveryService } from './deliveries';
import type { SandboxSettings } from './settings';
import type { SandboxState } from './state';

/** What all parts of a running sandbox share; settings and state are replaced in place. */
export interface SandboxContext {
	settings: SandboxSettings;
	readonly state: SandboxState;
	readonly deliveries: DeliveryService;
	/** Address of the sandbox, `http://127.0.0.1:PORT`. */
	url: string;
	/** Tells that pages or the registration changed. */
	changed(): void;
}
