import type { IDataObject } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

/** "Map Automatically" on tables as people have them. */
const sandbox = useSandbox();

/** As people, databases that fold names, and CRMs spell them. */
const nearNames: Array<[field: string, columns: string[], value: unknown]> = [
	['pageName', ['page_name', 'PAGENAME', 'Page Name', 'page-name'], 'A'],
	['amount', ['Amount', 'AMOUNT', '\ufeffamount '], 5],
	['isFixedAmount', ['isfixedamount', 'IS_FIXED_AMOUNT'], true],
	['paymentPageLinkReference', ['payment_page_link_reference', 'PAYMENTPAGELINKREFERENCE'], 'r'],
	['callBackUrl', ['callbackUrl', 'callback_url'], 'https://a.example/'],
	['isTestMode', ['is_test_mode', 'IsTestMode', 'is\u00a0TestMode'], true],
	['isPhoneNumberRequired', ['is_phone_number_required'], false],
	['notificationEmail', ['NOTIFICATIONEMAIL', 'notification-email'], 'a@b.example'],
	['successMessage', ['success_message'], 'Thanks'],
];

describe.each(['create', 'update'])('a column near the name of a field, on %s,', (operation) => {
	const rest = { pageName: 'N', paymentPageLinkReference: 'n', amount: 1 };
	const parameters = automatic(operation);

	test.each(
		nearNames.flatMap(([field, columns, value]) =>
			columns.map((column) => [column, field, value] as const),
		),
	)('is that column: %s', async (column, field, value) => {
		const row = { ...rest, [field]: undefined, [column]: value } as IDataObject;
		Reflect.deleteProperty(row, field);
		await sandbox.run({ rows: [row], parameters });
		expect(sandbox.bodies).toMatchObject([{ [field]: value }]);
	});

	test('gives way to one of exactly the name', async () => {
		const row = { ...rest, Amount: 7, page_name: 'Other', IsTestMode: true, isTestMode: false };
		await sandbox.run({ rows: [row], parameters });
		expect(sandbox.bodies).toMatchObject([{ amount: 1, pageName: 'N', isTestMode: false }]);
	});

	test('is not meant for the payer where CRMs have a column like it', async () => {
		const near = {
			Description: 'internal',
			business_name: 'x',
			PageType: 'y',
			Additional_Fields: 1,
		};
		const exact = { description: 'Line', businessName: 'Shop', additionalFields: 'a=b' };
		await sandbox.run({ rows: [{ ...rest, ...near }], parameters });
		await sandbox.run({ rows: [{ ...rest, ...exact }], parameters });
		const [first, second] = sandbox.bodies;
		for (const field of ['description', 'businessName', 'pageType']) {
			expect(first).not.toHaveProperty(field);
		}
		expect(first?.additionalFields).toBe(operation === 'create' ? '[]' : undefined);
		expect(second).toMatchObject(exact);
	});
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
	'a column named %s is ignored',
	async (column) => {
		const row = JSON.parse(`{"pageName":"A","${column}":"x"}`) as IDataObject;
		await sandbox.run({ rows: [row], parameters: automatic('create') });
		expect(sandbox.bodies).toMatchObject([{ pageName: 'A' }]);
	},
);

test.each([
	['=inv-{{ $json.no }}', 'inv-17'],
	['={{ $json.blank }}', 'x'],
])('on create, the reference of the panel comes before a column: %s', async (typed, sent) => {
	const rows = [{ pageName: 'A', no: 17, blank: '', paymentPageLinkReference: 'x' }];
	const parameters = { ...automatic('create'), paymentPageLinkReference: typed };
	await sandbox.run({ rows, parameters });
	expect(sandbox.bodies).toMatchObject([{ paymentPageLinkReference: sent }]);
});

test.each<[IDataObject, isOn: boolean, sent: boolean | string]>([
	[{ amount: 5 }, true, true],
	[{ amount: 5, isFixedAmount: '' }, true, true],
	[{ amount: 5, isFixedAmount: ' ' }, false, false],
	[{ amount: 5, isFixedAmount: 'no' }, true, false],
	[{ amount: 5, is_fixed_amount: 1 }, false, true],
	[{ isFixedAmount: 'yes' }, false, "'Amount' (amount) is empty, but 'Fixed Amount' is on"],
])('Fixed Amount of %j, with the switch %j, is %j', async (row, isFixedAmount, sent) => {
	const parameters = automatic('create', { isFixedAmount });
	const { error } = await sandbox.run({ rows: [{ pageName: 'A', ...row }], parameters });
	expect(error?.message ?? sandbox.bodies[0]?.isFixedAmount).toBe(sent);
});

describe.each(['create', 'update'])('a column for the merchant, on %s', (operation) => {
	const row = { pageName: 'A', paymentPageLinkReference: 'a', amount: 5 };
	const parameters = automatic(operation);

	test.each<IDataObject>([
		{ merchantId: '1002003004005006007' },
		{ merchant_id: 1002003004005006007 },
		{ merchantId: '' },
		{ merchantId: 'Harbour Light' },
		{ merchantId: 1.5 },
	])('is taken for the same, or for none: %j', async (column) => {
		await sandbox.run({ rows: [{ ...row, ...column }], parameters });
		expect(sandbox.requests).toHaveLength(1);
	});

	test('is not looked at with each field below', async () => {
		const below = { ...row, amount: '5', operation, updateFields: { pageName: 'A' } };
		await sandbox.run({ rows: [{ merchantId: '77' }], parameters: below });
		expect(String(sandbox.requests[0]?.body)).toContain('"merchantId":1002003004005006007');
	});

	test('counts the credential of each row', async () => {
		sandbox.service.configure({ merchantId: '77' });
		await sandbox.run({
			rows: [{ ...row, merchantId: '77' }],
			parameters,
			credential: { merchantId: '={{ $json.merchantId }}' },
		});
		expect(sandbox.bodies).toMatchObject([{ merchantId: 77 }]);
	});
});
