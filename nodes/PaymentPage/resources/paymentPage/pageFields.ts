import type { BodyValue, RequestBody } from '../../../shared/exactJson';
import {
	isBlank,
	toAmount,
	toBoolean,
	toJsonText,
	toText,
	toTrimmedText,
	toWebAddress,
	toWholeNumber,
} from '../../../shared/values';

/** The fields of a payment page that a request can carry (docs/interface.md, "Payment page"). */
const fieldKinds = {
	id: 'wholeNumber',
	businessName: 'text',
	merchantId: 'wholeNumber',
	pageName: 'text',
	description: 'text',
	amount: 'amount',
	isFixedAmount: 'boolean',
	isPhoneNumberRequired: 'boolean',
	paymentPageLink: 'trimmedText',
	paymentPageLinkReference: 'trimmedText',
	callBackUrl: 'webAddress',
	successMessage: 'text',
	notificationEmail: 'trimmedText',
	isTestMode: 'boolean',
	pageType: 'text',
	additionalFields: 'json',
	isDeleted: 'boolean',
} as const;

export type PageField = keyof typeof fieldKinds;

type FieldKind = (typeof fieldKinds)[PageField];

export type PageValues = Partial<Record<PageField, unknown>>;

/** What create sends (docs/interface.md, "Create payment page"). */
export const createFields: PageField[] = allFieldsExcept('id', 'isDeleted');

/** What update sends (docs/interface.md, "Update payment page"). */
export const updateFields: PageField[] = allFieldsExcept('pageType');

function allFieldsExcept(...excluded: PageField[]): PageField[] {
	return (Object.keys(fieldKinds) as PageField[]).filter((field) => !excluded.includes(field));
}

const converters: Record<FieldKind, (field: string, value: unknown) => BodyValue> = {
	text: toText,
	trimmedText: toTrimmedText,
	webAddress: toWebAddress,
	wholeNumber: toWholeNumber,
	boolean: toBoolean,
	amount: toAmount,
	json: toJsonText,
};

/**
 * Builds the fields of a request body: blanks are left out, all else gets the type the interface
 * asks for.
 *
 * @param fields which fields this request may carry; others in `values` are ignored
 * @param labelOf how a person knows a field; its interface name unless told
 * @throws InvalidFieldError naming the first field whose value cannot be right
 */
export function toPageBody(
	fields: readonly PageField[],
	values: PageValues,
	labelOf: (field: PageField) => string = (field) => field,
): RequestBody {
	const body: RequestBody = {};
	for (const field of fields) {
		const value = values[field];
		if (!isBlank(value)) body[field] = converters[fieldKinds[field]](labelOf(field), value);
	}
	return body;
}
