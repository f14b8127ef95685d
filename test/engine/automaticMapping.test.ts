import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, credentialsFor, useSandbox } from './sandbox';

/** "Map Automatically" on tables as people have them. */
const sandbox = useSandbox();

const merchant = '"merchantId":1002003004005006007';

const bodies = () => sandbox.requests.map(({ body }) => JSON.parse(body.toString()) as IDataObject);

describe('on update, which page is meant is not up to a column of any table', () => {
	const row = { id: 7, crmPage: 41, paymentPageLinkReference: 'inv-1', amount: 5 };

	test('a column id is never used', async () => {
		await sandbox.run({ rows: [row], parameters: automatic('update') });
		expect(sandbox.requests[0]?.body.toString()).toBe(
			`{${merchant},"amount":5,"paymentPageLinkReference":"inv-1"}`,
		);
	});

	test('a column id alone is no page', async () => {
		const rows = [{ id: 7, amount: 5 }];
		const { error } = await sandbox.run({ rows, parameters: automatic('update') });
		expect(error?.message).toBe("'Page ID' and 'Reference' are both empty");
		expect(sandbox.requests).toEqual([]);
	});

	test('ID and reference are parameters, which come before a column', async () => {
		const parameters = {
			...automatic('update'),
			id: '={{ $json.crmPage }}',
			paymentPageLinkReference: '=no-{{ $json.crmPage }}',
		};
		await sandbox.run({ rows: [row], parameters });
		expect(sandbox.requests[0]?.body.toString()).toBe(
			`{${merchant},"id":41,"amount":5,"paymentPageLinkReference":"no-41"}`,
		);
	});

	test('columns that many tables have for themselves are never sent', async () => {
		const rows = [{ ...row, isDeleted: true, paymentPageLink: 'https://crm.example' }];
		await sandbox.run({ rows, parameters: automatic('update') });
		expect(sandbox.requests[0]?.body.toString()).toBe(
			`{${merchant},"amount":5,"paymentPageLinkReference":"inv-1"}`,
		);
	});

	test('a page is deleted by a field of the panel', async () => {
		const parameters = { operation: 'update', id: '41', updateFields: { isDeleted: true } };
		await sandbox.run({ rows: [row], parameters });
		expect(sandbox.requests[0]?.body.toString()).toBe(`{${merchant},"id":41,"isDeleted":true}`);
	});
});

test('on create, a reference of the panel comes before a column', async () => {
	const rows = [{ pageName: 'A', no: 17, paymentPageLinkReference: 'x' }];
	const parameters = { ...automatic('create'), paymentPageLinkReference: '=inv-{{ $json.no }}' };
	await sandbox.run({ rows, parameters });
	expect(bodies()).toMatchObject([{ paymentPageLinkReference: 'inv-17' }]);
});

describe('a parameter whose column is blank gives no value', () => {
	const row = { pageName: 'A b', amount: 5, invoiceNo: '', pageId: null };
	const invoiceNo = { paymentPageLinkReference: '={{ $json.invoiceNo }}' };

	test.each<[string, IDataObject, IDataObject]>([
		['create', invoiceNo, row],
		['update', invoiceNo, { ...row, paymentPageLinkReference: 'a-b' }],
		['update', { id: '={{ $json.pageId }}' }, { ...row, paymentPageLinkReference: 'a-b' }],
		['update', { id: '={{ $json.pageId }}', paymentPageLinkReference: 'a-b' }, row],
	])('on %s: %j', async (operation, parameters, item) => {
		await sandbox.run({
			rows: [item],
			parameters: { ...automatic(operation), ...(parameters as INodeParameters) },
		});
		expect(bodies()).toMatchObject([{ paymentPageLinkReference: 'a-b' }]);
	});

	test.each(['create', 'update'])('on %s, a row of nothing is rejected', async (operation) => {
		const rows = [{ pageName: '', amount: null, invoiceNo: '', pageId: ' ', row_number: 3 }];
		const parameters = { ...automatic(operation), ...invoiceNo };
		const { error } = await sandbox.run({ rows, parameters });
		expect(error?.message).toBe('The row is empty');
		expect(sandbox.requests).toEqual([]);
	});
});

/** As people, databases that fold names, and CRMs spell them. */
const nearNames: Array<[field: string, columns: string[], value: unknown]> = [
	['pageName', ['page_name', 'PageName', 'PAGENAME', 'Page Name', 'page-name'], 'A'],
	['amount', ['Amount', 'AMOUNT', '\ufeffamount '], 5],
	['isFixedAmount', ['isfixedamount', 'IS_FIXED_AMOUNT', 'Is Fixed Amount'], true],
	['paymentPageLinkReference', ['payment_page_link_reference', 'PAYMENTPAGELINKREFERENCE'], 'r'],
	['callBackUrl', ['callbackUrl', 'callback_url', 'CALLBACKURL'], 'https://a.example/'],
	['isTestMode', ['is_test_mode', 'IsTestMode', 'is\u00a0TestMode'], true],
	['isPhoneNumberRequired', ['is_phone_number_required'], false],
	['notificationEmail', ['NOTIFICATIONEMAIL', 'notification-email'], 'a@b.example'],
	['successMessage', ['success_message'], 'Thanks'],
];

describe.each(['create', 'update'])('a column near the name of a field, on %s,', (operation) => {
	const rest = { pageName: 'N', paymentPageLinkReference: 'n', amount: 1 };

	test.each(
		nearNames.flatMap(([field, columns, value]) =>
			columns.map((column) => [column, field, value] as const),
		),
	)('is that column: %s', async (column, field, value) => {
		const row = { ...rest, [column]: value };
		Reflect.deleteProperty(row, field);
		await sandbox.run({ rows: [row], parameters: automatic(operation) });
		expect(bodies()).toMatchObject([{ [field]: value }]);
	});

	test('gives way to one of exactly the name', async () => {
		const row = { ...rest, Amount: 7, page_name: 'Other', IsTestMode: true, isTestMode: false };
		await sandbox.run({ rows: [row], parameters: automatic(operation) });
		expect(bodies()).toMatchObject([{ amount: 1, pageName: 'N', isTestMode: false }]);
	});

	test('is rejected when there are two', async () => {
		const row = { pageName: 'N', paymentPageLinkReference: 'n', Amount: 5, AMOUNT: 6 };
		const { error } = await sandbox.run({ rows: [row], parameters: automatic(operation) });
		expect(error?.message).toBe(`'Amount' (amount) has two columns, "Amount" and "AMOUNT"`);
		expect(sandbox.requests).toEqual([]);
	});

	test('is not meant for the payer where CRMs have a column like it', async () => {
		const row = { ...rest, Description: 'internal', business_name: 'x', PageType: 'y' };
		await sandbox.run({ rows: [row], parameters: automatic(operation) });
		const [body] = bodies();
		for (const field of ['description', 'businessName', 'pageType']) {
			expect(body).not.toHaveProperty(field);
		}
		const exact = { ...rest, description: 'Line', businessName: 'Shop', additionalFields: 'a=b' };
		await sandbox.run({ rows: [exact], parameters: automatic(operation) });
		expect(bodies()[1]).toMatchObject({
			description: 'Line',
			businessName: 'Shop',
			additionalFields: 'a=b',
		});
	});
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
	'a column named %s is ignored',
	async (column) => {
		const row = JSON.parse(`{"pageName":"A","${column}":"x"}`) as IDataObject;
		await sandbox.run({ rows: [row], parameters: automatic('create') });
		expect(bodies()).toMatchObject([{ pageName: 'A' }]);
	},
);

describe('Fixed Amount on create', () => {
	const create = async (row: IDataObject, isFixedAmount: boolean) =>
		await sandbox.run({ rows: [row], parameters: automatic('create', { isFixedAmount }) });

	test('is the switch, and a column that is not blank takes its place', async () => {
		await create({ pageName: 'A', amount: 5 }, true);
		await create({ pageName: 'B', amount: 5, isFixedAmount: '' }, true);
		await create({ pageName: 'C', amount: 5, isFixedAmount: 'no' }, true);
		await create({ pageName: 'D', amount: 5, is_fixed_amount: 1 }, false);
		expect(bodies().map(({ isFixedAmount }) => isFixedAmount)).toEqual([true, true, false, true]);
	});

	test('of the column asks for an amount as well', async () => {
		const { error } = await create({ pageName: 'A', isFixedAmount: 'yes' }, false);
		expect(error?.message).toBe("'Amount' (amount) is empty, but 'Fixed Amount' is on");
		expect(sandbox.requests).toEqual([]);
	});
});

describe.each(['create', 'update'])('a row of another merchant, on %s', (operation) => {
	const row = { pageName: 'A', paymentPageLinkReference: 'a', amount: 5 };

	test.each<IDataObject>([
		{ merchantId: '77' },
		{ merchantID: 77 },
		{ merchant_id: ' 77 ' },
		{ MERCHANTID: '1002003004005006008' },
	])('is rejected, with the way out: %j', async (column) => {
		const { error } = await sandbox.run({
			rows: [{ ...row, ...column }],
			parameters: automatic(operation),
		});
		expect(error?.message).toMatch(
			/^The column 'merchantId' names another merchant than the credential: "/,
		);
		expect(error?.description).toMatch(/Use a credential of that merchant .* Nothing was sent\./);
		expect(sandbox.requests).toEqual([]);
	});

	test.each<IDataObject>([
		{ merchantId: '1002003004005006007' },
		{ merchant_id: 1002003004005006007 },
		{ merchantId: '' },
		{ merchantId: 'Harbour Light' },
		{ merchantId: 1.5 },
	])('is none that names the same, or no whole number: %j', async (column) => {
		await sandbox.run({ rows: [{ ...row, ...column }], parameters: automatic(operation) });
		expect(sandbox.requests).toHaveLength(1);
	});

	test('is not looked at with each field below', async () => {
		const parameters: INodeParameters = {
			operation,
			pageName: 'A',
			paymentPageLinkReference: 'a',
			updateFields: { pageName: 'A' },
		};
		await sandbox.run({ rows: [{ merchantId: '77' }], parameters });
		expect(String(sandbox.requests[0]?.body)).toContain(merchant);
	});

	test('counts the credential of each row', async () => {
		const rows = [{ ...row, merchantId: '77' }];
		sandbox.service.configure({ merchantId: '77' });
		const credentials = credentialsFor(sandbox.service, { merchantId: '={{ $json.merchantId }}' });
		await sandbox.run({ rows, parameters: automatic(operation), credentials });
		expect(String(sandbox.requests[0]?.body)).toContain('"merchantId":77,');
	});
});
