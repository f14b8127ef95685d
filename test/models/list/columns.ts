import fc from 'fast-check';

import { nameIn } from '../support/drawing';
import { headingOf, roles, valueOf, type Role, type Table } from './tables';

/** Columns for automatic mapping: exact names, near names, and names that mean something else. */

/** The fields that the table's columns are for, with the headings they may have; others keep theirs. */
const mapped = {
	name: ['pageName', 'pagename', 'Page Name', 'page_name'],
	number: ['paymentPageLinkReference', 'paymentpagelinkreference', 'Payment Page Link Reference'],
	total: ['amount', 'Amount', 'AMOUNT'],
	test: ['isTestMode', 'IsTestMode', 'is_test_mode', 'ISTESTMODE'],
} satisfies Partial<Record<Role, [field: string, ...near: string[]]>>;

/** The same in every row; those without a field are not meant for the page. */
const moreColumns: Record<string, { value: unknown; field?: string }> = {
	row_number: { value: 2 },
	id: { value: 4711 },
	isDeleted: { value: true },
	paymentPageLink: { value: 'https://shop.example/x' },
	Description: { value: 'a note of the CRM' },
	business_name: { value: 'the customer' },
	description: { value: 'for you', field: 'description' },
	isfixedamount: { value: 'no', field: 'isFixedAmount' },
	'Is Fixed Amount': { value: '', field: 'isFixedAmount' },
	NOTIFICATIONEMAIL: { value: 'shop@shop.example', field: 'notificationEmail' },
	callbackUrl: { value: 'https://shop.example/paid', field: 'callBackUrl' },
	success_message: { value: ['Thank you'], field: 'successMessage' },
	merchantID: { value: '1002003004005006007', field: 'merchantId' },
	merchant_id: { value: 77, field: 'merchantId' },
	'page-name': { value: 'Another name', field: 'pageName' },
};

/** "Map Automatically". */
export interface Automatic {
	mode: 'automatic';
	isFixedAmount: boolean;
	headings: Record<keyof typeof mapped, string>;
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
	more: fc.uniqueArray(nameIn(moreColumns), { maxLength: 3 }),
});

/** The columns of one row. */
export function columnsOf(table: Table, row: number, { headings, more }: Automatic) {
	const own = roles.map((role) => {
		const value = valueOf(table, row, role);
		if (!(role in mapped)) return { heading: headingOf(table, role), value };
		const mappedRole = role as keyof typeof mapped;
		return { heading: headings[mappedRole], value, field: mapped[mappedRole][0] };
	});
	const others = more.map((heading) => ({ heading, value: null, ...moreColumns[heading] }));
	return [...own, ...others].filter(({ value }) => value !== undefined);
}

/** What is in the columns of one row that are for a field: in the exact one, or in all near ones. */
export function valuesFor(field: string, columns: ReturnType<typeof columnsOf>): unknown[] {
	const found = columns.filter((column) => column.field === field);
	const exact = found.filter(({ heading }) => heading === field);
	return (exact.length > 0 ? exact : found).map(({ value }) => value);
}
