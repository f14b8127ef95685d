import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

/** "Map Automatically" on tables as people have them. */
const sandbox = useSandbox();

const merchant = '"merchantId":1002003004005006007';

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
		expect(error?.message).toBe('Page ID and Payment Page Link Reference are both empty');
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

	test('an empty reference takes the column of its name', async () => {
		const parameters = { ...automatic('update'), id: '41', paymentPageLinkReference: ' ' };
		await sandbox.run({ rows: [row], parameters });
		expect(sandbox.requests[0]?.body.toString()).toContain('"paymentPageLinkReference":"inv-1"');
	});

	test('a column isDeleted deletes nothing, and merchantId and description are used', async () => {
		const rows = [{ ...row, isDeleted: true, merchantId: '17', description: 'Line' }];
		await sandbox.run({ rows, parameters: automatic('update') });
		expect(sandbox.requests[0]?.body.toString()).toBe(
			'{"merchantId":17,"description":"Line","amount":5,"paymentPageLinkReference":"inv-1"}',
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
	expect(sandbox.requests[0]?.body.toString()).toContain('"paymentPageLinkReference":"inv-17"');
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
		expect(sandbox.requests[0]?.body.toString()).toContain('"paymentPageLinkReference":"a-b"');
	});

	test.each(['create', 'update'])('on %s, a row of nothing is still refused', async (operation) => {
		const rows = [{ pageName: '', amount: null, invoiceNo: '', pageId: ' ', row_number: 3 }];
		const parameters = { ...automatic(operation), ...invoiceNo };
		const { error } = await sandbox.run({ rows, parameters });
		expect(error?.message).toMatch(/^The item is empty/);
		expect(sandbox.requests).toEqual([]);
	});
});

describe.each(['create', 'update'])('the names of columns on %s', (operation) => {
	const parameters = { ...automatic(operation), paymentPageLinkReference: 'r' };

	test('are the same with blanks and invisible signs', async () => {
		const rows = [{ 'page Name\u200b': 'A', '\ufeffamount ': 5, 'is\u00a0TestMode': '1' }];
		await sandbox.run({ rows, parameters });
		expect(JSON.parse(String(sandbox.requests[0]?.body))).toMatchObject({
			pageName: 'A',
			amount: 5,
			isTestMode: true,
		});
	});
});

describe('columns with a value that look like those of a page', () => {
	const lookAlikes: Array<[string, string, IDataObject]> = [
		['Amount (amount)', 'Amount', { pageName: 'A', Amount: 5 }],
		['Amount (amount)', 'AMOUNT', { pageName: 'A', AMOUNT: '0' }],
		['Page Name (pageName)', 'Page name', { 'Page name': 'A', amount: 5 }],
		['Page Name (pageName)', 'page_name', { page_name: 'A', amount: 5 }],
	];

	test.each(lookAlikes)('are refused on create: %s, %s', async (label, column, row) => {
		const rows = [{ pageName: 'Good', amount: 1 }, row];
		const parameters = { ...automatic('create'), paymentPageLinkReference: 'r' };
		const { error } = await sandbox.run({ rows, parameters });
		expect(error?.message).toBe(`${label} has no column, but the column "${column}" looks like it`);
		expect(error?.description).toContain('with an Edit Fields node before this one');
		expect(sandbox.requests).toEqual([]);
	});

	test.each(lookAlikes)('are ignored on update: %s, %s', async (_label, column, row) => {
		const parameters = { ...automatic('update'), paymentPageLinkReference: 'r' };
		await sandbox.run({ rows: [row], parameters });
		expect(sandbox.requests).toHaveLength(1);
		expect(String(sandbox.requests[0]?.body)).not.toContain(column);
	});

	test.each(['create', 'update'])('are ignored when they are blank, on %s', async (operation) => {
		const rows = [{ paymentPageLinkReference: 'r', Amount: ' ', page_name: null }];
		await sandbox.run({ rows, parameters: automatic(operation) });
		expect(sandbox.requests).toHaveLength(1);
	});

	test.each(['create', 'update'])('are refused for the reference, on %s', async (operation) => {
		const rows = [{ pageName: 'A', payment_page_link_reference: 'r' }];
		const { error } = await sandbox.run({ rows, parameters: automatic(operation) });
		expect(error?.message).toMatch(/^Payment Page Link Reference .* has no column, but the column/);
		expect(sandbox.requests).toEqual([]);
	});
});

test('a column that looks like the reference is refused, unless the panel gives one', async () => {
	const rows = [{ pageName: 'A', payment_page_link_reference: 'inv-1' }];
	const { error } = await sandbox.run({ rows, parameters: automatic('create') });
	expect(error?.message).toBe(
		'Payment Page Link Reference (paymentPageLinkReference) has no column, but the column "payment_page_link_reference" looks like it',
	);
	expect(sandbox.requests).toEqual([]);
	const parameters = { ...automatic('create'), paymentPageLinkReference: 'inv-2' };
	await sandbox.run({ rows, parameters });
	expect(sandbox.requests[0]?.body.toString()).toContain('"paymentPageLinkReference":"inv-2"');
});
