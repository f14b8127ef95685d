import type { IDataObject } from 'n8n-workflow';
import { failureOf, runItems, runJson } from '../../scripts/localN8n/execution';
import { useSharedBed } from './support/sharedBed';
import { anyPage, manualTrigger, paymentPage, rows, setField, workflow } from './support/workflow';

const bed = useSharedBed({ webhookSecret: 'webhook-secret-of-the-test' });

beforeEach(() => bed().sandbox.reset());

/** Runs the node over rows; gives the execution. */
async function runOver(data: IDataObject[], parameters: Parameters<typeof paymentPage>[0]) {
	return bed().run(
		workflow('Payment pages of rows', [manualTrigger(), ...rows(data), paymentPage(parameters)]),
	);
}

const customer = '={{ $("Rows").item.json.customer }}';

test('parts good and refused rows on the error output, each still paired with its row', async () => {
	bed().sandbox.configure({ duplicateReferences: 'reject' });
	const data = [
		{ customer: 'Amelia', reference: 'inv-1', amount: 10 },
		{ customer: 'Jürgen', reference: 'inv-2', amount: 'abc' },
		{ customer: 'Chloé', reference: '..', amount: 30 },
		{ customer: 'Zoë', reference: 'inv-4', amount: '40.50' },
		{ customer: "O'Brien", reference: 'inv-1', amount: 50 },
	];
	const node = paymentPage(
		{
			operation: 'create',
			pageName: '={{ $json.customer }}',
			amount: '={{ $json.amount }}',
			paymentPageLinkReference: '={{ $json.reference }}',
			ifReferenceExists: 'create',
			options: { maxParallelRequests: 1 },
		},
		{ onError: 'continueErrorOutput' },
	);
	const execution = await bed().run(
		workflow(
			'Error output',
			[
				manualTrigger(),
				...rows(data),
				node,
				setField('Created', 'customer', customer),
				setField('Refused', 'customer', customer),
			],
			{ 'Payment Page': ['Created', 'Refused'] },
		),
	);

	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Created')).toMatchObject([
		{ customer: 'Amelia', paymentPageLinkReference: 'inv-1', amount: 10 },
		{ customer: 'Zoë', paymentPageLinkReference: 'inv-4', amount: 40.5 },
	]);
	expect(runJson(execution, 'Refused')).toMatchObject([
		{ customer: 'Jürgen', error: expect.stringMatching(/amount/i) },
		{ customer: 'Chloé', error: expect.stringMatching(/reference/i) },
		{ customer: "O'Brien", error: expect.stringContaining('belongs to another page') },
	]);
	expect(runItems(execution, 'Payment Page', 1).map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 1 },
		{ item: 2 },
		{ item: 4 },
	]);
	expect(bed().sandbox.state.pages.size).toBe(2);
});

test('ends with the first refused row when it is not set to continue, and says what was done', async () => {
	bed().sandbox.configure({ duplicateReferences: 'reject' });
	const data = [{ reference: 'inv-1' }, { reference: 'inv-1' }, { reference: 'inv-3' }];
	const execution = await runOver(data, {
		operation: 'create',
		...anyPage,
		pageName: 'Page',
		paymentPageLinkReference: '={{ $json.reference }}',
		options: { maxParallelRequests: 1 },
	});
	expect(execution.status).toBe('error');
	expect(failureOf(execution)).toMatch(
		/belongs to another page.*Row 2 of 3.*1 of 3 rows is finished\./s,
	);
	expect([...bed().sandbox.state.pages.values()]).toMatchObject([
		{ paymentPageLinkReference: 'inv-1' },
	]);
});

test('sends the columns that bear a field name, and no other, with automatic mapping', async () => {
	const execution = await runOver(
		[
			{
				pageName: 'Rechnung 7',
				amount: '12.30',
				isTestMode: 'true',
				additionalFields: ['Kunde'],
				customerId: 'C-7',
				id: 4711,
			},
		],
		{
			operation: 'create',
			mappingMode: 'autoMapInputData',
			ifReferenceExists: 'create',
			simplify: false,
		},
	);
	expect(execution.status).toBe('success');
	const { merchantId } = bed().sandbox.settings;
	// The merchant ID has more digits than a JavaScript number keeps, so the bytes are compared.
	expect(bed().sandbox.state.requests.map(({ body }) => body.toString())).toEqual([
		expect.stringContaining(`"merchantId":${merchantId}`),
	]);
	const sent = JSON.parse(String(bed().sandbox.state.requests[0]?.body)) as IDataObject;
	expect(sent).toEqual({
		merchantId: Number(merchantId),
		pageName: 'Rechnung 7',
		amount: 12.3,
		isFixedAmount: true,
		isTestMode: true,
		additionalFields: '["Kunde"]',
		paymentPageLinkReference: 'rechnung-7',
	});
	expect(runJson(execution, 'Payment Page')).toMatchObject([{ merchantId, amount: 12.3 }]);
});

test('checks first by default, and gives the simplified page with its link', async () => {
	const execution = await runOver([{ reference: 'inv-1' }], {
		operation: 'create',
		pageName: 'Page',
		amount: '5,00',
		paymentPageLinkReference: '={{ $json.reference }}',
	});
	expect(bed().sandbox.state.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
	const [page = {}] = runJson(execution, 'Payment Page');
	expect(page).toMatchObject({ id: 1, paymentPageLinkReference: 'inv-1', amount: 5 });
	expect(page.paymentPageLink).toMatch(/\/pay\/inv-1$/);
	expect(page).not.toHaveProperty('merchantId');
});

test('registers a webhook with the API key, and keeps the secret out of the output', async () => {
	const execution = await runOver([{}], {
		resource: 'webhook',
		operation: 'register',
		webhookUrl: 'https://shop.example/payments',
	});
	expect(execution.status).toBe('success');
	expect(bed().sandbox.state.requests.map(({ keyUsed }) => keyUsed)).toEqual(['apiKey']);
	expect(bed().sandbox.state.registration).toMatchObject({
		requestedUrl: 'https://shop.example/payments',
		secret: 'webhook-secret-of-the-test',
	});
	const output = runJson(execution, 'Payment Page');
	expect(output).toMatchObject([
		{
			registered: true,
			webhookUrl: 'https://shop.example/payments/',
			merchantId: bed().sandbox.settings.merchantId,
		},
	]);
	expect(JSON.stringify(output)).not.toContain('webhook-secret-of-the-test');
});
