import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** What one can set, as JSON schemas: of types, checks, and the forms of the status page. */

const closed = { additionalProperties: false };
const text = (initial = '', title = '') => Type.String({ default: initial, title });
const digits = (initial: string) => Type.String({ pattern: '^\\d+$', default: initial });
const headerName = (initial: string, title: string) =>
	Type.String({ pattern: '^[A-Za-z0-9-]+$', default: initial, title });
const integer = (minimum: number, initial = 0, title = '') =>
	Type.Integer({ minimum, default: initial, title });

/** One of some texts, the first one at the start. */
export function oneOf<const T extends string>(values: readonly T[], title = '') {
	return Type.Unsafe<T>(Type.String({ enum: [...values], default: values[0], title }));
}

/** How an event proves that it comes from the service. The interface does not show it ("Events"). */
export const signingSchema = Type.Object(
	{
		/** `standardWebhooks` is what standardwebhooks.com says, whatever the fields below are. */
		mode: oneOf(['hmac', 'secretInHeader', 'standardWebhooks', 'none'], 'Sign'),
		header: headerName('X-Webhook-Signature', 'Header'), // carries the secret or the signature
		algorithm: oneOf(['sha256', 'sha512', 'sha1'], 'Algorithm'),
		encoding: oneOf(['hex', 'base64'], 'Encoding'),
		/** `timestampDotBody` signs `<timestamp>.<body>`; the timestamp is in unix seconds. */
		signedContent: oneOf(['body', 'timestampDotBody'], 'Signed content'),
		/** Sent with `timestampDotBody` only. */
		timestampHeader: headerName('X-Webhook-Timestamp', 'Timestamp header'),
		prefix: text('', 'Text before the signature'), // such as `sha256=`
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
const faultDetails = {
	rate: Type.Number({ minimum: 0, maximum: 1, title: 'Share of requests, 0 to 1' }),
	/** Which requests, counted from 1 since the rule was set: `[400]` is the 400th. */
	nth: Type.Array(integer(1), { title: 'Only these requests, such as 3, 400' }),
	times: integer(1, 1, 'At most this many times'),
	/** Also does its work. `cutBeforeStoring` never does; kinds that alter the real answer do. */
	stored: Type.Boolean({ title: 'Process the request first' }),
	/** Length of `latency` and of `slowBody` (default 1,000). */
	milliseconds: integer(0, 0, 'Milliseconds (for late and trickling)'),
	/** Added to `latency`, from 0 to this. */
	jitterMilliseconds: integer(0, 0, 'Random extra milliseconds'),
	/** Of `serverError` (default 500), `html` and `emptyBody` (default 200). */
	status: Type.Integer({ minimum: 200, maximum: 599, title: 'HTTP status' }),
	/** Sends `Retry-After` with `tooManyRequests` and `serverError`, as seconds or as an HTTP date. */
	retryAfterSeconds: Type.Integer({ title: 'Retry-After, seconds' }),
	retryAfterAs: oneOf(['seconds', 'date'], 'Format of Retry-After'),
	/** Of `wrongCode` (default "96"), `tooManyRequests` and `serverError`. */
	code: text('', 'Response code'),
	message: text('', 'Response message'),
};
export const faultSchema = Type.Composite(
	[
		Type.Object({
			endpoint: oneOf(['create', 'update', 'validate', 'register', 'any'], 'Endpoint'),
			kind: oneOf(Object.keys(faultKinds) as FaultKind[], 'Fault'),
		}),
		Type.Partial(Type.Object(faultDetails)),
	],
	closed,
);
export type FaultRule = Static<typeof faultSchema>;

/** When a delivery that was not answered 2xx is tried again; each wait is twice the one before. */
const retry = { firstWaitMilliseconds: integer(0, 1000), maximumTries: integer(1, 5) };
const retrySchema = Type.Object(retry, closed);

const settings = {
	/** The only merchant there is. Beyond 2^53 on purpose: a client that rounds it meets an error at once. */
	merchantId: digits('1002003004005006007'),
	privateKey: text('sandbox-private-key'),
	apiKey: text('sandbox-api-key'),
	firstId: digits('1'), // ID of the first page; set it beyond 2^53 to test exactness
	/** Whether create accepts a reference that a page has already; the interface does not forbid it. */
	duplicateReferences: oneOf(['allow', 'reject']),
	/** Whether references that differ in case or accents alone are one; the interface does not say. */
	foldsReferences: Type.Boolean({ default: false }),
	/** How long a receiver may take to answer a delivery. */
	deliveryTimeoutMilliseconds: integer(1, 10_000),
	faults: Type.Array(faultSchema, { default: [] }),
	/** Seed of the faults with a rate, so that a run can be repeated. */
	seed: Type.Integer({ default: 1 }),
};
const settingsSchema = Type.Object({ ...settings, signing: signingSchema, retry: retrySchema });
export type SandboxSettings = Static<typeof settingsSchema>;

const changes = { signing: Type.Partial(signingSchema), retry: Type.Partial(retrySchema) };
export const settingsChangeSchema = Type.Partial(Type.Object({ ...settings, ...changes }), closed);
export type SettingsChange = Static<typeof settingsChangeSchema>;

/** The settings with a change laid over them; `signing` and `retry` are merged, not replaced. */
export function changeSettings(current: SandboxSettings, change: SettingsChange = {}) {
	for (const name of ['merchantId', 'firstId'] as const) {
		if (!/^\d+$/.test(change[name] ?? '0')) throw new Error(`${name} must be decimal digits.`);
	}
	const signing = { ...current.signing, ...change.signing };
	return { ...current, ...change, signing, retry: { ...current.retry, ...change.retry } };
}

export function initialSettings(change?: SettingsChange): SandboxSettings {
	return changeSettings(Value.Create(settingsSchema), change);
}
