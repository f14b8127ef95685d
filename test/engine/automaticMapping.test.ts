import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

/** "Map Automatically": what the model of a list leaves out, and an example of each of its rules. */
const sandbox = useSandbox();

const ref = (paymentPageLinkReference: string) => ({ paymentPageLinkReference });
const row: IDataObject = { pageName: 'N', paymentPageLinkReference: 'n', amount: 1 };

/** What a row has beside `row`, what of that is sent, and what the panel says. */
type Case = [row: IDataObject, sent: IDataObject, panel?: INodeParameters];

const exact = { description: 'Line', businessName: 'Shop', additionalFields: 'a=b' };

const cases: Case[] = [
	// Names as people, databases that fold them, and CRMs write them.
	[
		{ 'is\u00a0FixedAmount': true, IS_TEST_MODE: 1 },
		{ isFixedAmount: true, isTestMode: true },
	],
	[{ is_phone_number_required: false }, { isPhoneNumberRequired: false }],
	[{ 'notification-email': 'a@b.example' }, { notificationEmail: 'a@b.example' }],
	[{ '\ufeffcallback URL ': 'https://a.example/' }, { callBackUrl: 'https://a.example/' }],
	// One of exactly the name comes first.
	[{ Amount: 7, page_name: 'Other', IsTestMode: true, isTestMode: false }, { isTestMode: false }],
	// CRMs have columns like these for themselves.
	[{ Description: 'internal', business_name: 'x', PageType: 'y', Additional_Fields: 1 }, {}],
	[exact, exact],
	// A column for the merchant names the same one, or none.
	...['1002003004005006007', 1002003004005006007, '', 'Harbour Light', 'M7', '7b', 1.5].map(
		(merchantId): Case => [{ merchantId }, {}],
	),
	// What every object has is no field.
	[Object.fromEntries(['constructor', '__proto__', 'toString'].map((name) => [name, 'x'])), {}],
	// Blanks are left out, and a deliberate 0 and false are sent.
	[{ description: '', businessName: null, isTestMode: false }, { isTestMode: false }],
	[{ amount: 0 }, { amount: 0 }],
	// The reference of the panel comes before a column, unless it is blank.
	[{ no: 17 }, ref('i-17'), ref('=i-{{ $json.no }}')],
	[{ none: '' }, {}, ref('={{ $json.none }}')],
];

describe.each<[string, IDataObject]>([
	['create', { additionalFields: '[]', isFixedAmount: false }],
	['update', {}],
])('on %s', (operation, always) => {
	test.each(cases)('%j gives %j', async (columns, sent, ...[panel]) => {
		await sandbox.run({ rows: [{ ...row, ...columns }], parameters: automatic(operation, panel) });
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

test.each([
	[' ', false, false],
	['no', true, false],
])('a column %j beside the switch Fixed Amount, which is %j: %j', async (...given) => {
	const [isFixedAmount, isOn, sent] = given;
	const parameters = automatic('create', { isFixedAmount: isOn });
	await sandbox.run({ rows: [{ ...row, isFixedAmount }], parameters });
	expect(sandbox.bodies).toMatchObject([{ isFixedAmount: sent }]);
});
