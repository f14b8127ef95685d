import type { DeliveryService } from './deliveries';
import type { FaultPlan } from './faults';
import type { SandboxSettings } from './settings';
import type { SandboxState } from './state';
import type { Waits } from './waits';

/** What all parts of a running sandbox share; settings and state are replaced in place. */
export interface SandboxContext {
	settings: SandboxSettings;
	readonly state: SandboxState;
	readonly deliveries: DeliveryService;
	/** The troubles that the settings ask for, with their counters. */
	faultPlan: FaultPlan;
	/** Ended by a reset and by the sandbox's stop. */
	readonly waits: Waits;
	/** Address of the sandbox, `http://127.0.0.1:PORT`. */
	url: string;
}
