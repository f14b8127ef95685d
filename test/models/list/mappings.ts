import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { nameIn, oneOf, type Drawn } from '../support/drawing';
import {
	amounts,
	fixed,
	flagOf,
	isBlank,
	labels,
	readField,
	textOf,
	typedText,
	type Field,
	type Part,
	type Reading,
} from './expressions';
import { headingOf, itemOf, roles, valueOf, type Role, type Table } from './tables';

/** How the columns of a table come to the fields of a page. */

const testColumn: Part = { form: 'column', role: 'test', from: '$json', as: 'bracket' };
const noField = fc.constant<Field>([]);

/** "Map Each Field Below". */
const below = fc.record({
	mode: fc.constant('below' as const),
	isFixedAmount: fc.boolean(),
	own: fc.record({
		/** Never without anything: n8n does not start such a node. */
		pageName: labels('name', ['Invoice ', 'Fee / ']),
		amount: amounts,
		paymentPageLinkReference: oneOf([1, noField], [3, labels('number', ['INV-', '2026-'])]),
	}),
	optionalFields: fc.record(
		{
			description: labels('name', ['For ']),
			isTestMode: oneOf<Field>([2, fc.boolean()], [1, fc.constant([testColumn])]),
		},
		{ requiredKeys: [] },
	),
});

/** The fields that the table's columns are for, with the headings they may have; others keep theirs. */
const mapped: Partial<Record<Role, string[]>> = {
	name: ['pageName', 'pagename', 'Page Name', 'page_name'],
	number: ['paymentPageLinkReference', 'paymentpagelinkreference', 'Payment Page Link Reference'],
	total: ['amount', 'Amount', 'AMOUNT'],
	test: ['isTestMode', 'IsTestMode', 'is_test_mode', 'ISTESTMODE'],
};

/** Columns that are the same in every row; those without a field are not meant for the page. */
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
const automatic = fc.record({
	mode: fc.constant('automatic' as const),
	isFixedAmount: fc.boolean(),
	headings: fc.record(mapValues(mapped, (headings) => fc.constantFrom(...headings))),
	more: fc.uniqueArray(nameIn(moreColumns), { maxLength: 3 }),
});

type Automatic = Drawn<typeof automatic>;
export type Mapping = Drawn<typeof below> | Automatic;
export const mappings = oneOf<Mapping>([3, below], [1, automatic]);

/** The columns of one row. */
function columnsOf(table: Table, row: number, { headings, more }: Automatic) {
	const own = roles.map((role) => ({
		heading: headings[role] ?? headingOf(table, role),
		value: valueOf(table, row, role),
		field: mapped[role]?.[0],
	}));
	const others = more.map((heading) => ({ heading, value: null, ...moreColumns[heading] }));
	return [...own, ...others].filter(({ value }) => value !== undefined);
}

export function itemsFor(table: Table, mapping: Mapping): IDataObject[] {
	return table.rows.map((_row, row) => {
		if (mapping.mode === 'below') return itemOf(table, row);
		const columns = columnsOf(table, row, mapping).map(({ heading, value }) => [heading, value]);
		return Object.fromEntries(columns) as IDataObject;
	});
}

export function parametersFor(table: Table, mapping: Mapping): INodeParameters {
	const { isFixedAmount } = mapping;
	if (mapping.mode === 'automatic') return { mappingMode: 'autoMapInputData', isFixedAmount };
	const typed = (fields: Record<string, Field>): INodeParameters =>
		mapValues(fields, (field) => typedText(table, field));
	const optionalFields = typed(mapping.optionalFields);
	return { mappingMode: 'defineBelow', ...typed(mapping.own), isFixedAmount, optionalFields };
}

function mapValues<From, To>(record: Record<string, From>, change: (from: From) => To) {
	const changed = Object.entries(record).map(([name, from]) => [name, change(from)] as const);
	return Object.fromEntries(changed);
}

type OwnField = 'pageName' | 'amount' | 'paymentPageLinkReference';

/** What one row says of its page. */
export interface RowReading {
	fields: Record<OwnField, Reading> & Record<string, Reading>; // by the name of the field
	isFixedAmount: boolean;
	wrongColumns: string[]; // two for one field, or another merchant's
}

const automaticFields = [
	...['pageName', 'amount', 'paymentPageLinkReference', 'isTestMode', 'description'],
	...['notificationEmail', 'callBackUrl', 'successMessage', 'merchantId', 'isFixedAmount'],
];
const ownMerchant = '1002003004005006007';

export function readRow(table: Table, row: number, mapping: Mapping): RowReading {
	if (mapping.mode === 'below') {
		const { own, optionalFields, isFixedAmount } = mapping;
		const read = (field: Field) => readField(table, row, field);
		const fields = mapValues({ ...own, ...optionalFields }, read);
		return { fields: fields as RowReading['fields'], isFixedAmount, wrongColumns: [] };
	}
	const columns = columnsOf(table, row, mapping);
	const wrongColumns: string[] = [];
	const readings = automaticFields.map((name) => {
		const near = columns.filter(({ field }) => field === name);
		const exact = near.filter(({ heading }) => heading === name);
		const values = (exact.length > 0 ? exact : near).map(({ value }) => value);
		if (values.length > 1) wrongColumns.push(`two columns for ${name}`);
		return [name, { ...fixed(values[0]), itemParts: values }] as const;
	});
	const { merchantId, isFixedAmount, ...fields } = Object.fromEntries(readings);
	const merchant = merchantId?.value;
	if (!isBlank(merchant) && textOf(merchant) !== ownMerchant) wrongColumns.push('another merchant');
	const flag = isFixedAmount?.value;
	return {
		fields: fields as RowReading['fields'],
		isFixedAmount: isBlank(flag) ? mapping.isFixedAmount : flagOf(flag),
		wrongColumns,
	};
}
