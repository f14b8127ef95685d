import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

const sandbox = useSandbox();

const existing = { pageName: 'Invoice 17', paymentPageLinkReference: 'invoice-17', amount: 10 };

/** A page to update; the requests of the tests start after its own. */
async function makePage(): Promise<void> {
	await sandbox.run({ rows: [existing], parameters: automatic('create') });
	sandbox.requests.length = 0;
}

test('sends the fields of the panel and only those', async () => {
	await makePage();
	const { output } = await sandbox.run({
		parameters: {
			operation: 'update',
			id: '1',
			paymentPageLinkReference: 'invoice-17',
			updateFields: { amount: '0', isDeleted: false, description: '' },
		},
	});
	const [request] = sandbox.requests;
	expect(sandbox.requests).toHaveLength(1);
	expect(request?.method).toBe('POST');
	expect(request?.url).toBe('/api/PaymentPages/Update');
	expect(request?.keyUsed).toBe('privateKey');
	expect(request?.body.toString()).toBe(
		'{"merchantId":1002003004005006007,"id":1,"amount":0,"paymentPageLinkReference":"invoice-17","isDeleted":false}',
	);
	expect(output).toEqual([
		{
			json: {
				updated: true,
				id: 1,
				paymentPageLinkReference: 'invoice-17',
				responseMessage: 'Payment page updated successfully',
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(sandbox.service.state.pages.get('1')).toMatchObject({ amount: 0, pageName: 'Invoice 17' });
});

test('maps the columns of the item and ignores the others', async () => {
	await makePage();
	const row = { ...existing, amount: 20, isFixedAmount: 1, pageType: 'x', crmOwner: 'Kim' };
	const { output } = await sandbox.run({ rows: [row], parameters: automatic('update') });
	expect(sandbox.requests[0]?.body.toString()).toBe(
		'{"merchantId":1002003004005006007,"pageName":"Invoice 17","amount":20,"isFixedAmount":true,"paymentPageLinkReference":"invoice-17"}',
	);
	expect(output[0]?.json).toEqual({
		updated: true,
		paymentPageLinkReference: 'invoice-17',
		responseMessage: 'Payment page updated successfully',
	});
});

test('does not add additionalFields by itself', async () => {
	await makePage();
	const parameters = { operation: 'update', id: '1', updateFields: { pageName: 'B' } };
	await sandbox.run({ parameters });
	expect(sandbox.requests[0]?.body.toString()).toBe(
		'{"merchantId":1002003004005006007,"id":1,"pageName":"B"}',
	);
});

test('keeps every digit of an ID beyond 2^53, both ways', async () => {
	sandbox.service.configure({ firstId: '9007199254740993' });
	await makePage();
	const rows = [{ pageId: '9007199254740993', amount: 5 }];
	const parameters = { ...automatic('update'), id: '={{ $json.pageId }}' };
	const { output } = await sandbox.run({ rows, parameters });
	expect(sandbox.requests[0]?.body.toString()).toContain('"id":9007199254740993,');
	expect(output[0]?.json.id).toBe('9007199254740993');
	expect(sandbox.service.state.pages.get('9007199254740993')?.amount).toBe(5);
});

test.each([
	['reference', [{ ref: 'Invoice-17' }, { ref: 'invoice-17' }, { ref: 'invoice-17', id: 1 }]],
	['ID', [{ id: 1 }, { id: '1' }, { id: 1 }]],
])(
	'rows with the same %s are sent one after the other, so that the last wins',
	async (_by, keys) => {
		await makePage();
		// The first takes longest.
		const faults = [200, 100].map((milliseconds, index) => ({
			endpoint: 'update' as const,
			kind: 'latency' as const,
			milliseconds,
			nth: [index + 1],
		}));
		sandbox.service.configure({ firstId: '1', faults });
		const rows = keys.map((key, index) => ({ ...key, amount: index + 1 }));
		await sandbox.run({
			rows,
			parameters: {
				...automatic('update'),
				id: '={{ $json.id ?? "" }}',
				paymentPageLinkReference: '={{ $json.ref ?? "" }}',
			},
			settings: { onError: 'continueErrorOutput' },
		});
		const amounts = sandbox.requests.map(({ body }) => /"amount":(\d)/.exec(body.toString())?.[1]);
		expect(amounts).toEqual(['1', '2', '3']);
		expect(sandbox.service.state.pages.get('1')?.amount).toBe(3);
	},
);

test('asks for the ID or the reference, before anything is sent', async () => {
	const rows = [existing, { pageName: 'No key' }];
	const { error } = await sandbox.run({ rows, parameters: automatic('update') });
	expect(error?.message).toBe("'Page ID' and 'Reference' are both empty");
	expect(sandbox.requests).toEqual([]);
});

describe('an update that changes nothing is rejected before anything is sent', () => {
	const key = { paymentPageLinkReference: 'invoice-17' };

	test.each<[string, INodeParameters, IDataObject]>([
		['no field', { operation: 'update', ...key }, {}],
		['a blank field', { operation: 'update', ...key, updateFields: { description: '' } }, {}],
		[
			'a blank column',
			{ operation: 'update', ...key, updateFields: { amount: '={{ $json.total }}' } },
			{ total: '' },
		],
		['no column', automatic('update'), { ...key, crmOwner: 'Kim' }],
		['a column that is never sent', automatic('update'), { ...key, isDeleted: true }],
	])('%s', async (_name, parameters, row) => {
		const { error } = await sandbox.run({ rows: [row], parameters });
		expect(error?.message).toBe('The row has nothing to change');
		expect(error?.description).toContain('cannot be emptied');
		expect(error?.description).toContain('Nothing was sent.');
		expect(sandbox.requests).toEqual([]);
	});
});

describe('an amount of 0', () => {
	const update = async (amount: unknown, row: IDataObject = {}) =>
		await sandbox.run({
			rows: [row],
			parameters: { operation: 'update', id: '1', updateFields: { amount } } as INodeParameters,
		});

	test.each([
		['0', {}],
		['={{ $json.total }}', { total: 0 }],
		['={{ $json["total"] }}', { total: '0.00' }],
	])('is sent when it is given: %s of %j', async (amount, row) => {
		await update(amount, row);
		expect(String(sandbox.requests[0]?.body)).toMatch(/"amount":0(\.00)?[,}]/);
	});

	test.each(['={{ $json.total * 1.19 }}', '={{ Number($json.total) }}', '={{ $json.total || 0 }}'])(
		'is rejected when an expression makes it: %s',
		async (amount) => {
			const { error } = await update(amount, { total: '' });
			expect(error?.message).toMatch(/^'Amount' is calculated as 0: "\{\{ /);
			expect(sandbox.requests).toEqual([]);
		},
	);
});
