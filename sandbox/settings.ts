import { type Static, type TObject, Type } from '@sinclair/typebox';

/**
 * What one can set, as JSON schemas: the types, the checks of what comes over HTTP and the fields of
 * the status page (with `title` as label) are all made from these.
 */

const closed = { additionalProperties: false };
const digits = Type.String({ pattern: '^\\d+$' });
const headerName = (title: string) => Type.String({ pattern: '^[A-Za-z0-9-]+$', title });
const wait = (title: string) => Type.Integer({ minimum: 0, title });

export function oneOf<const T extends string>(values: readonly T[], title = '') {
	return Type.Unsafe<T>({ type: 'string', enum: [...values], title });
}

/** How an event proves that it comes from the service. The interface does not show it ("Events"). */
export const signingSchema = Type.Object(
	{
		/**
		 * `secretInHeader` sends the secret itself, `hmac` a keyed hash of the event, and
		 * `standardWebhooks` what standardwebhooks.com says, whatever the fields below are.
		 */
		mode: oneOf(['none', 'secretInHeader', 'hmac', 'standardWebhooks'], 'Sign'),
		/** Name of the header that carries the secret or the signature. */
		header: headerName('Header'),
		algorithm: oneOf(['sha256', 'sha512', 'sha1'], 'Algorithm'),
		encoding: oneOf(['hex', 'base64'], 'Encoding'),
		/** `timestampDotBody` signs `<timestamp>.<body>`; the timestamp is in unix seconds. */
		signedContent: oneOf(['body', 'timestampDotBody'], 'Signed content'),
		/** Name of the header that carries the timestamp, sent with `timestampDotBody` only. */
		timestampHeader: headerName('Timestamp header'),
		/** Text before the signature in its header, such as `sha256=`. */
		prefix: Type.String({ title: 'Text before the signature' }),
	},
	closed,
);
export type SigningSettings = Static<typeof signingSchema>;

/** The faults there are, with what they do in words for people. */
export const faultKinds = {
	latency: 'late response',
	tooManyRequests: 'HTTP 429',
	serverError: 'HTTP 500, or another status',
	html: 'a web page instead of JSON',
	emptyBody: 'an empty response',
	brokenJson: 'incomplete JSON',
	notAnObject: 'JSON that is not an object',
	wrongCode: 'a response code other than "00"',
	numericCode: 'the number 0 as responseCode',
	missingCode: 'no responseCode',
	cutBeforeStoring: 'connection cut before the request is processed',
	cutAfterStoring: 'connection cut after the request is processed',
	hang: 'no response at all',
	slowBody: 'a slow, trickling response',
} as const;
export type FaultKind = keyof typeof faultKinds;

/** A fault made on purpose. Without `rate` and `nth` every request of the endpoint meets it. */
export const faultSchema = Type.Object(
	{
		endpoint: oneOf(['create', 'update', 'validate', 'register', 'any'], 'Endpoint'),
		kind: oneOf(Object.keys(faultKinds) as FaultKind[], 'Fault'),
		rate: Type.Optional(
			Type.Number({ minimum: 0, maximum: 1, title: 'Share of requests, 0 to 1' }),
		),
		/** Which requests, counted from 1 since the rule was set: `[400]` is the 400th. */
		nth: Type.Optional(
			Type.Array(Type.Integer({ minimum: 1 }), { title: 'Only these requests, such as 3, 400' }),
		),
		times: Type.Optional(Type.Integer({ minimum: 1, title: 'At most this many times' })),
		/**
		 * Whether the service does its work all the same, such as storing the page, before the fault
		 * (default false). `cutBeforeStoring` never does; kinds that alter the real answer always do.
		 */
		stored: Type.Optional(Type.Boolean({ title: 'Process the request first' })),
		/** Length of `latency` and of `slowBody` (default 1,000). */
		milliseconds: Type.Optional(wait('Milliseconds (for late and trickling)')),
		/** Added to `latency` at random, from 0 to this. */
		jitterMilliseconds: Type.Optional(wait('Random extra milliseconds')),
		/** HTTP status of `serverError` (default 500), `html` and `emptyBody` (default 200). */
		status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599, title: 'HTTP status' })),
		/** Sends `Retry-After` with `tooManyRequests` and `serverError`. */
		retryAfterSeconds: Type.Optional(Type.Integer({ title: 'Retry-After, seconds' })),
		/** Writes `Retry-After` as seconds (default) or as an HTTP date. */
		retryAfterAs: Type.Optional(oneOf(['seconds', 'date'], 'Format of Retry-After')),
		/** `responseCode` of `wrongCode` (default "96"). */
		code: Type.Optional(Type.String({ title: 'Response code' })),
		/** `responseMessage` of `wrongCode`, `tooManyRequests` and `serverError`. */
		message: Type.Optional(Type.String({ title: 'Response message' })),
	},
	closed,
);
export type FaultRule = Static<typeof faultSchema>;

/** When a delivery that was not answered 2xx is tried again; each wait is twice the one before. */
const retrySchema = Type.Object(
	{
		firstWaitMilliseconds: wait(''),
		/** All tries together, the first one included. */
		maximumTries: Type.Integer({ minimum: 1 }),
	},
	closed,
);

const settingsFields = {
	/** The only merchant there is. */
	merchantId: digits,
	privateKey: Type.String(),
	apiKey: Type.String(),
	/** ID of the first page; set it beyond 2^53 to test exactness. */
	firstId: digits,
	/** Whether create accepts a reference that a page has already; the interface does not forbid it. */
	duplicateReferences: oneOf(['allow', 'refuse']),
	/** Whether references that differ in case or accents alone are one; the interface does not say. */
	foldsReferences: Type.Boolean(),
	/** How long a receiver may take to answer a delivery. */
	deliveryTimeoutMilliseconds: Type.Integer({ minimum: 1 }),
	faults: Type.Array(faultSchema),
	/** Seed of the faults with a rate, so that a run can be repeated. */
	seed: Type.Integer(),
};
export const settingsChangeSchema = Type.Partial(
	Type.Object({
		...settingsFields,
		signing: Type.Partial(signingSchema),
		retry: Type.Partial(retrySchema),
	}),
	closed,
);
export interface SandboxSettings extends Static<TObject<typeof settingsFields>> {
	signing: SigningSettings;
	retry: Static<typeof retrySchema>;
}
export type SettingsChange = Static<typeof settingsChangeSchema>;

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
