import { isLosslessNumber, parse } from 'lossless-json';
import type { SandboxSettings } from '../settings';
import { pageFields } from '../state';
import { errorCodes, ServiceError } from './envelope';

function digits(value: unknown): string {
	return isLosslessNumber(value) ? value.toString() : '';
}

/** Kinds of fields (docs/interface.md, "Payment page"): how a value is read, if it is one. */
const readers = {
	text: (value: unknown) => (typeof value === 'string' ? value : undefined),
	flag: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
	wholeNumber: (value: unknown) => /^-?\d+$/.exec(digits(value))?.[0], // kept as its digits
	amount: (value: unknown) => {
		const text = typeof value === 'string' ? value : digits(value);
		const isNumeric = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
		return isNumeric && Number.isFinite(Number(text)) ? Number(text) : undefined;
	},
};
type FieldKind = keyof typeof readers;
type FieldValue<K extends FieldKind> = NonNullable<ReturnType<(typeof readers)[K]>>;

/** The fields that a request carried; a whole number stands as its digits. */
export type Fields<T extends Record<string, FieldKind>> = { [N in keyof T]?: FieldValue<T[N]> };

export const createFields = { ...pageFields, pageType: 'text' } as const;
export const updateFields = { ...pageFields, id: 'wholeNumber', isDeleted: 'flag' } as const;

const urlAndSecret = { webhookUrl: 'text', secret: 'text' } as const;
export const registerFields = { ...urlAndSecret, merchantId: 'wholeNumber' } as const;

const expectations: Record<FieldKind, string> = {
	text: 'a string',
	flag: 'true or false',
	wholeNumber: 'a whole number, not in quotes',
	amount: 'a number or a numeric string',
};

function parseObject(body: Buffer): Record<string, unknown> {
	let value: unknown;
	try {
		value = parse(body.toString('utf8'));
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw new ServiceError(errorCodes.formatError, `Invalid JSON: ${error.message}`, 400);
	}
	if (typeof value === 'object' && value && !Array.isArray(value) && !isLosslessNumber(value)) {
		return { ...value };
	}
	throw new ServiceError(errorCodes.formatError, 'The body must be a JSON object', 400);
}

/**
 * Reads the known fields of a request body and rejects a wrong type by the field's name, so that a
 * client's mistake is seen. None is required, because the interface does not show which ones are.
 */
export function readFields<T extends Record<string, FieldKind>>(kinds: T, body: Buffer): Fields<T> {
	const object = parseObject(body);
	const fields: Record<string, string | boolean | number> = {};
	for (const [name, kind] of Object.entries(kinds)) {
		if (!Object.hasOwn(object, name)) continue;
		const value = readers[kind](object[name]);
		if (value === undefined) {
			throw new ServiceError(errorCodes.formatError, `${name} must be ${expectations[kind]}`);
		}
		fields[name] = value;
	}
	return fields as Fields<T>;
}

/** Rejects a merchant that is not the sandbox's; one that is not given is taken from the key. */
export function requireMerchant(settings: SandboxSettings, merchantId: string | undefined): void {
	if (merchantId === undefined || BigInt(merchantId) === BigInt(settings.merchantId)) return;
	const message = 'merchantId is not the merchant that this key belongs to';
	throw new ServiceError(errorCodes.invalidMerchant, message);
}
