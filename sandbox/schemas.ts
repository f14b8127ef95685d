import { faultEndpoints, faultKinds } from './faults';
import { forgeryKinds } from './forgeries';

/** JSON schemas of what the sandbox itself takes over HTTP. */

const digits = { type: 'string', pattern: '^\\d+$' };
const text = { type: 'string' };
const wait = { type: 'integer', minimum: 0 };

function closedObject(properties: object): object {
	return { type: 'object', additionalProperties: false, properties };
}

export const signingSchema = closedObject({
	mode: { enum: ['none', 'secretInHeader', 'hmac'] },
	header: { type: 'string', pattern: '^[A-Za-z0-9-]+$' },
	algorithm: { enum: ['sha256', 'sha512', 'sha1'] },
	encoding: { enum: ['hex', 'base64'] },
	signedContent: { enum: ['body', 'timestampDotBody'] },
	timestampHeader: { type: 'string', pattern: '^[A-Za-z0-9-]+$' },
	prefix: text,
});

const faultProperties = {
	endpoint: { enum: faultEndpoints },
	kind: { enum: Object.keys(faultKinds) },
	rate: { type: 'number', minimum: 0, maximum: 1 },
	nth: { type: 'array', items: { type: 'integer', minimum: 1 } },
	times: { type: 'integer', minimum: 1 },
	stored: { type: 'boolean' },
	milliseconds: wait,
	jitterMilliseconds: wait,
	status: { type: 'integer', minimum: 200, maximum: 599 },
	retryAfterSeconds: { type: 'integer' },
	retryAfterAs: { enum: ['seconds', 'date'] },
	code: text,
	message: text,
};

export const faultSchema = { ...closedObject(faultProperties), required: ['endpoint', 'kind'] };

/** A change of the settings. */
export const settingsSchema = closedObject({
	merchantId: digits,
	privateKey: text,
	apiKey: text,
	firstId: digits,
	duplicateReferences: { enum: ['allow', 'refuse'] },
	foldsReferences: { type: 'boolean' },
	signing: signingSchema,
	retry: closedObject({
		firstWaitMilliseconds: wait,
		maximumTries: { type: 'integer', minimum: 1 },
	}),
	deliveryTimeoutMilliseconds: { type: 'integer', minimum: 1 },
	faults: { type: 'array', items: faultSchema },
	seed: { type: 'integer' },
});

const forgeryKind = { enum: forgeryKinds };

/** What the status page's form sends. */
export const forgeryKindSchema = {
	type: 'object',
	properties: { kind: forgeryKind },
	required: ['kind'],
};

export const forgeSchema = {
	...closedObject({
		kind: forgeryKind,
		reference: text,
		keepToken: { type: 'boolean' },
		token: text,
	}),
	required: ['kind'],
};

/** Details of a payment; the request may also have no body at all. */
export const paymentSchema = {
	...closedObject({ amount: { type: 'number' }, phoneNumber: text }),
	type: ['object', 'null'],
};
