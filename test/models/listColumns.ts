import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { headingOf, itemsOf, valueOf, type Role, type Table, type Value } from './listTables';

/** Columns for automatic mapping: exact names, near names, and names that mean something else. */

/** The fields that the table's columns are for, with the headings they may have; others keep theirs. */
const mapped = {
	name: ['pageName', 'pagename', 'Page Name', 'page_name'],
	number: ['paymentPageLinkReference', 'paymentpagelinkreference', 'Payment Page Link Reference'],
	total: ['amount', 'Amount', 'AMOUNT'],
	test: ['isTestMode', 'IsTestMode', 'is_test_mode', 'ISTESTMODE'],
} satisfies Partial<Record<Role, [field: string, ...near: string[]]>>;

type MappedRole = keyof typeof mapped;

/** The same in every row; those without a field are not meant for the page. */
export const moreColumns: Record<string, { json: unknown; field?: string }> = {
	row_number: { json: 2 },
	id: { json: 4711 },
	isDeleted: { json: true },
	paymentPageLink: { json: 'https://shop.example/x' },
	Description: { json: 'a note of the CRM' },
	business_name: { json: 'the customer' },
	description: { json: 'for you', field: 'description' },
	isfixedamount: { json: 'no', field: 'isFixedAmount' },
	'Is Fixed Amount': { json: '', field: 'isFixedAmount' },
	NOTIFICATIONEMAIL: { json: 'shop@shop.example', field: 'notificationEmail' },
	callbackUrl: { json: 'https://shop.example/paid', field: 'callBackUrl' },
	success_message: { json: ['Thank you'], field: 'successMessage' },
	merchantID: { json: '1002003004005006007', field: 'merchantId' },
	merchant_id: { json: 77, field: 'merchantId' },
	'page-name': { json: 'Another name', field: 'pageName' },
};

export interface Automatic {
	mode: 'automatic';
	isFixedAmount: boolean;
	headings: Record<MappedRole, string>;
	more: string[];
}

export const automatic: fc.Arbitrary<Automatic> = fc.record({
	mode: fc.constant('automatic' as const),
	isFixedAmount: fc.boolean(),
	headings: fc.record({
		name: fc.constantFrom(...mapped.name),
		number: fc.constantFrom(...mapped.number),
		total: fc.constantFrom(...mapped.total),
		test: fc.constantFrom(...mapped.test),
	}),
	more: fc.uniqueArray(fc.constantFrom(...Object.keys(moreColumns)), { maxLength: 3 }),
});

export function automaticItems(table: Table, { headings, more }: Automatic): IDataObject[] {
	const headingFor = (role: Role) =>
		role in mapped ? headings[role as MappedRole] : `my ${headingOf(table, role)}`;
	const constants = Object.fromEntries(more.map((name) => [name, moreColumns[name]?.json]));
	return itemsOf(table, headingFor).map((item) => ({ ...item, ...constants }) as IDataObject);
}

/** The columns of one row that are for a field: the exact one, or all near ones. */
export function columnsFor(table: Table, row: number, field: string, mapping: Automatic): Value[] {
	const found: Array<{ heading: string; value: Value }> = [];
	for (const [role, [own]] of Object.entries(mapped) as Array<[MappedRole, string[]]>) {
		const value = valueOf(table, row, role);
		if (own !== field || value.json === undefined) continue;
		found.push({ heading: mapping.headings[role], value });
	}
	for (const heading of mapping.more) {
		const column = moreColumns[heading];
		if (column?.field === field) found.push({ heading, value: { json: column.json } });
	}
	const exact = found.filter(({ heading }) => heading === field);
	return (exact.length > 0 ? exact : found).map(({ value }) => value);
}
