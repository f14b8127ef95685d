/** JSON schema of a change of the settings, as it comes over HTTP. */

const digits = { type: 'string', pattern: '^\\d+$' };
const text = { type: 'string' };
const wait = { type: 'integer', minimum: 0 };

function closedObject(properties: object): object {
	return { type: 'object', additionalProperties: false, properties };
}

const signing = closedObject({
	mode: { enum: ['none', 'secretInHeader', 'hmac'] },
	header: { type: 'string', pattern: '^[A-Za-z0-9-]+$' },
	algorithm: { enum: ['sha256', 'sha512', 'sha1'] },
	encoding: { enum: ['hex', 'base64'] },
	signedContent: { enum: ['body', 'timestampDotBody'] },
	timestampHeader: { type: 'string', pattern: '^[A-Za-z0-9-]+$' },
	prefix: text,
});

export const settingsSchema = closedObject({
	merchantId: digits,
	privateKey: text,
	apiKey: text,
	firstId: digits,
	duplicateReferences: { enum: ['allow', 'refuse'] },
	signing,
	retry: closedObject({
		firstWaitMilliseconds: wait,
		maximumTries: { type: 'integer', minimum: 1 },
	}),
	deliveryTimeoutMilliseconds: { type: 'integer', minimum: 1 },
	seed: { type: 'integer' },
});
