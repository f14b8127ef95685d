import type { FaultRule } from './faults';

/** How an event proves that it comes from the service. The interface does not show it ("Events"). */
export interface SigningSettings {
	/** `secretInHeader` sends the secret itself, `hmac` a keyed hash of the event. */
	mode: 'none' | 'secretInHeader' | 'hmac';
	/** Name of the header that carries the secret or the signature. */
	header: string;
	algorithm: 'sha256' | 'sha512' | 'sha1';
	encoding: 'hex' | 'base64';
	/** `timestampDotBody` signs `<timestamp>.<body>`; the timestamp is in unix seconds. */
	signedContent: 'body' | 'timestampDotBody';
	/** Name of the header that carries the timestamp, sent with `timestampDotBody` only. */
	timestampHeader: string;
	/** Text before the signature in its header, such as `sha256=`. */
	prefix: string;
}

/** When a delivery that was not answered 2xx is tried again; each wait is twice the one before. */
interface RetrySettings {
	firstWaitMilliseconds: number;
	/** All tries together, the first one included. */
	maximumTries: number;
}

export interface SandboxSettings {
	/** The only merchant there is, as decimal digits. */
	merchantId: string;
	privateKey: string;
	apiKey: string;
	/** ID of the first page, as decimal digits; set it beyond 2^53 to test exactness. */
	firstId: string;
	/** Whether create accepts a reference that a page has already; the interface does not forbid it. */
	duplicateReferences: 'allow' | 'refuse';
	/** Whether references that differ in case or accents alone are one; the interface does not say. */
	foldsReferences: boolean;
	signing: SigningSettings;
	retry: RetrySettings;
	/** How long a receiver may take to answer a delivery. */
	deliveryTimeoutMilliseconds: number;
	faults: FaultRule[];
	/** Seed of the faults with a rate, so that a run can be repeated. */
	seed: number;
}

export type SettingsChange = Partial<Omit<SandboxSettings, 'signing' | 'retry'>> & {
	signing?: Partial<SigningSettings>;
	retry?: Partial<RetrySettings>;
};

const defaultSettings: SandboxSettings = {
	// Beyond 2^53 on purpose: whoever rounds it meets an error at once.
	merchantId: '1002003004005006007',
	privateKey: 'sandbox-private-key',
	apiKey: 'sandbox-api-key',
	firstId: '1',
	duplicateReferences: 'allow',
	foldsReferences: false,
	signing: {
		mode: 'hmac',
		header: 'X-Webhook-Signature',
		algorithm: 'sha256',
		encoding: 'hex',
		signedContent: 'body',
		timestampHeader: 'X-Webhook-Timestamp',
		prefix: '',
	},
	retry: { firstWaitMilliseconds: 1000, maximumTries: 5 },
	deliveryTimeoutMilliseconds: 10_000,
	faults: [],
	seed: 1,
};

/** The settings with a change laid over them; `signing` and `retry` are merged, not replaced. */
export function changeSettings(
	settings: SandboxSettings,
	change: SettingsChange = {},
): SandboxSettings {
	for (const name of ['merchantId', 'firstId'] as const) {
		if (!/^\d+$/.test(change[name] ?? '0')) throw new Error(`${name} must be decimal digits.`);
	}
	return {
		...settings,
		...change,
		signing: { ...settings.signing, ...change.signing },
		retry: { ...settings.retry, ...change.retry },
	};
}

export function initialSettings(change?: SettingsChange): SandboxSettings {
	return changeSettings(defaultSettings, change);
}
