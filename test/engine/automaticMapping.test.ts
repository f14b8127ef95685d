import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

/** "Map Automatically" on tables as people have them. */
const sandbox = useSandbox();

const row: IDataObject = { pageName: 'N', paymentPageLinkReference: 'n', amount: 1 };

/** A row, what of it is sent beside the fields of `row`, and what the panel says. */
type Case = [row: IDataObject, sent: IDataObject, panel?: INodeParameters];

/** As people, databases that fold names, and CRMs spell the name of a field. */
function near(field: string, value: unknown, ...columns: string[]): Case[] {
	const rest = Object.fromEntries(Object.entries(row).filter(([name]) => name !== field));
	const sent = { [field]: value } as IDataObject;
	return columns.map((column) => [{ ...rest, [column]: value } as IDataObject, sent]);
}

const exact = { description: 'Line', businessName: 'Shop', additionalFields: 'a=b' };

const cases: Case[] = [
	...near('pageName', 'A', 'page_name', 'PAGENAME', 'Page Name', 'page-name'),
	...near('amount', 5, 'Amount', 'AMOUNT', '\ufeffamount '),
	...near('isFixedAmount', true, 'isfixedamount', 'IS_FIXED_AMOUNT'),
	...near('paymentPageLinkReference', 'r', 'payment_page_link_reference'),
	...near('paymentPageLinkReference', 'r', 'PAYMENTPAGELINKREFERENCE'),
	...near('callBackUrl', 'https://a.example/', 'callbackUrl', 'callback_url'),
	...near('isTestMode', true, 'is_test_mode', 'IsTestMode', 'is\u00a0TestMode'),
	...near('isPhoneNumberRequired', false, 'is_phone_number_required'),
	...near('notificationEmail', 'a@b.example', 'NOTIFICATIONEMAIL', 'notification-email'),
	...near('successMessage', 'Thanks', 'success_message'),
	// One of exactly the name comes first.
	[
		{ ...row, Amount: 7, page_name: 'Other', IsTestMode: true, isTestMode: false },
		{ isTestMode: false },
	],
	// CRMs have columns like these for themselves.
	[
		{ ...row, Description: 'internal', business_name: 'x', PageType: 'y', Additional_Fields: 1 },
		{},
	],
	[{ ...row, ...exact }, exact],
	// A column for the merchant names the same one, or none.
	[{ ...row, merchantId: '1002003004005006007' }, {}],
	[{ ...row, merchant_id: 1002003004005006007 }, {}],
	...['', 'Harbour Light', 1.5].map((merchantId): Case => [{ ...row, merchantId }, {}]),
	// What every object has is no field.
	...['constructor', '__proto__', 'toString', 'hasOwnProperty'].map((name): Case => {
		const text = JSON.stringify(row).replace('}', `,"${name}":"x"}`);
		return [JSON.parse(text) as IDataObject, {}];
	}),
	// Blanks are left out, and a deliberate 0 and false are sent.
	[{ ...row, description: '', businessName: null, isTestMode: false }, { isTestMode: false }],
	[{ ...row, amount: 0 }, { amount: 0 }],
	// The reference of the panel comes before a column.
	[
		{ ...row, no: 17 },
		{ paymentPageLinkReference: 'i-17' },
		{ paymentPageLinkReference: '=i-{{ $json.no }}' },
	],
	[{ ...row, none: '' }, {}, { paymentPageLinkReference: '={{ $json.none }}' }],
];

describe.each<[string, IDataObject]>([
	['create', { additionalFields: '[]', isFixedAmount: false }],
	['update', {}],
])('on %s', (operation, always) => {
	test.each(cases)('%j gives %j', async (columns, sent, ...[panel]) => {
		await sandbox.run({ rows: [columns], parameters: automatic(operation, panel) });
		// The digits of the ID that JavaScript keeps.
		expect(sandbox.bodies).toEqual([
			{ merchantId: 1002003004005006000, ...always, ...row, ...sent },
		]);
	});

	test('a column for the merchant is not looked at with each field below', async () => {
		const parameters = { ...row, amount: '5', operation, updateFields: { pageName: 'A' } };
		await sandbox.run({ rows: [{ merchantId: '77' }], parameters });
		expect(String(sandbox.requests[0]?.body)).toContain('"merchantId":1002003004005006007');
	});

	test('a column for the merchant counts the credential of its row', async () => {
		sandbox.service.configure({ merchantId: '77' });
		const credential = { merchantId: '={{ $json.merchantId }}' };
		const rows = [{ ...row, merchantId: '77' }];
		await sandbox.run({ rows, parameters: automatic(operation), credential });
		expect(sandbox.bodies).toMatchObject([{ merchantId: 77 }]);
	});
});

test.each<[IDataObject, isOn: boolean, sent: boolean]>([
	[{ isFixedAmount: '' }, true, true],
	[{ isFixedAmount: ' ' }, false, false],
	[{ isFixedAmount: 'no' }, true, false],
	[{ is_fixed_amount: 1 }, false, true],
])('Fixed Amount of %j, with the switch %j, is %j', async (more, isFixedAmount, sent) => {
	await sandbox.run({
		rows: [{ ...row, ...more }],
		parameters: automatic('create', { isFixedAmount }),
	});
	expect(sandbox.bodies).toMatchObject([{ isFixedAmount: sent }]);
});
