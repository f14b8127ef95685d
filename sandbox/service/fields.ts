import { isLosslessNumber, parse } from 'lossless-json';
import type { SandboxSettings } from '../settings';
import { errorCodes, ServiceError } from './envelope';

/** Type of a request field; `amount` is a number or a numeric text (docs/interface.md, "Payment page"). */
type FieldKind = 'text' | 'flag' | 'wholeNumber' | 'amount';
type FieldValue<K extends FieldKind> = K extends 'flag'
	? boolean
	: K extends 'amount'
		? number
		: string;

/** The fields that a request carried; a whole number stands as its digits. */
export type Fields<T extends Record<string, FieldKind>> = { [N in keyof T]?: FieldValue<T[N]> };

const pageFields = {
	businessName: 'text',
	merchantId: 'wholeNumber',
	pageName: 'text',
	description: 'text',
	amount: 'amount',
	isFixedAmount: 'flag',
	isPhoneNumberRequired: 'flag',
	paymentPageLink: 'text',
	paymentPageLinkReference: 'text',
	callBackUrl: 'text',
	successMessage: 'text',
	notificationEmail: 'text',
	isTestMode: 'flag',
	additionalFields: 'text',
} as const;

export const createFields = { ...pageFields, pageType: 'text' } as const;
export const updateFields = { ...pageFields, id: 'wholeNumber', isDeleted: 'flag' } as const;

export const registerFields = {
	webhookUrl: 'text',
	merchantId: 'wholeNumber',
	secret: 'text',
} as const;

const numericText = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

const expectations: Record<FieldKind, string> = {
	text: 'a string',
	flag: 'true or false',
	wholeNumber: 'a whole number, not in quotes',
	amount: 'a number or a numeric string',
};

function readValue(kind: FieldKind, value: unknown): string | boolean | number | undefined {
	const digits = isLosslessNumber(value) ? value.toString() : undefined;
	switch (kind) {
		case 'text':
			return typeof value === 'string' ? value : undefined;
		case 'flag':
			return typeof value === 'boolean' ? value : undefined;
		case 'wholeNumber':
			return digits !== undefined && /^-?\d+$/.test(digits) ? digits : undefined;
		case 'amount': {
			const text = typeof value === 'string' && numericText.test(value) ? value : digits;
			const amount = Number(text ?? NaN);
			return Number.isFinite(amount) ? amount : undefined;
		}
	}
}

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
		const value = readValue(kind, object[name]);
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
