import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { continues, operations, useSandbox } from './sandbox';

/** What Update, Validate Reference and Register send and give, and what they ask for. */
const sandbox = useSandbox();

const { create, skip, update, validate, register } = operations;
const merchant = '"merchantId":1002003004005006007';
const body = () => sandbox.requests[0]?.body.toString();
const paired = (json: IDataObject) => [{ json, pairedItem: { item: 0 } }];

test.each<[string, string, INodeParameters]>([
	['POST', '/PaymentPages/Add', create],
	['POST', '/PaymentPages/Update', update],
	['GET', '/PaymentPages/ValidatePaymentPageLinkRefernce/', validate],
	['POST', '/WebhookRegistration/RegisterWebhook', register],
])('%s %s stands in the description, and so it is sent', async (method, url, parameters) => {
	const { properties } = new PaymentPage().description;
	const choices = properties.flatMap(({ options = [] }) => options as INodePropertyOptions[]);
	const { routing } = choices.find(({ value }) => value === parameters.operation) ?? {};
	const request = routing?.request ?? {};
	expect(request).toEqual({ method, url });
	try {
		await sandbox.run({ parameters });
		request.url = `/Declared${url}`;
		await sandbox.run({ parameters });
	} finally {
		request.url = url;
	}
	const [first, second] = sandbox.requests;
	expect(first).toMatchObject({ method, url: expect.stringContaining(`/api${url}`) });
	expect(second?.url).toContain(`/Declared${url}`);
});

describe('Update', () => {
	/** A page to update; the requests of the tests start after its own. */
	async function makePage(): Promise<void> {
		await sandbox.run({ rows: [{ paymentPageLinkReference: 'invoice-17', amount: 10 }] });
		sandbox.requests.length = 0;
	}

	const run = async (parameters: INodeParameters, row: IDataObject = {}) =>
		await sandbox.run({ rows: [row], parameters: { operation: 'update', ...parameters } });

	test('sends the fields of the panel and only those', async () => {
		await makePage();
		const reference = { paymentPageLinkReference: 'invoice-17' };
		const updateFields = { amount: '0', isDeleted: false, description: '' };
		const { output } = await run({ id: '1', ...reference, updateFields });
		const sent = { method: 'POST', url: '/api/PaymentPages/Update', keyUsed: 'privateKey' };
		expect(sandbox.requests).toMatchObject([sent]);
		expect(body()).toBe(
			`{${merchant},"id":1,"amount":0,"paymentPageLinkReference":"invoice-17","isDeleted":false}`,
		);
		const responseMessage = 'Payment page updated successfully';
		expect(output).toEqual(paired({ updated: true, id: 1, ...reference, responseMessage }));
		expect(sandbox.service.state.pages.get('1')?.amount).toBe(0);
	});

	test('keeps every digit of an ID beyond 2^53, both ways', async () => {
		const id = '9007199254740993';
		sandbox.service.configure({ firstId: id });
		await makePage();
		const updateFields = { amount: '5' };
		const { output } = await run({ id: '={{ $json.page }}', updateFields }, { page: id });
		expect(body()).toBe(`{${merchant},"id":${id},"amount":5}`);
		expect(output[0]?.json.id).toBe(id);
		expect(sandbox.service.state.pages.get(id)?.amount).toBe(5);
	});

	// Which page is meant is not up to a column that many tables have for themselves.
	const own = { id: '={{ $json.crm }}', paymentPageLinkReference: '=no-{{ $json.crm }}' };
	const none = { id: '={{ $json.none }}', paymentPageLinkReference: '={{ $json.none }}' };

	test.each<[string, INodeParameters, string]>([
		['columns', {}, '"amount":5,"paymentPageLinkReference":"inv-1"'],
		['parameters, which come first', own, '"id":41,"amount":5,"paymentPageLinkReference":"no-41"'],
		['columns where its own are blank', none, '"amount":5,"paymentPageLinkReference":"inv-1"'],
	])('mapped automatically, takes the page from %s', async (_from, parameters, sent) => {
		const crm = { id: 7, isDeleted: true, paymentPageLink: 'https://crm.example', pageType: 'x' };
		const row = { ...crm, crm: 41, none: '', paymentPageLinkReference: 'inv-1', amount: 5 };
		await run({ ...update, ...parameters }, row);
		expect(body()).toBe(`{${merchant},${sent}}`);
	});

	const amount = (text: string) => ({ id: '1', updateFields: { amount: text } });

	test.each<[INodeParameters, IDataObject, sent: string]>([
		[amount('0'), {}, '0'],
		[amount('={{ $json["total"] }}'), { total: '0.00' }, '0.00'],
		[update, { paymentPageLinkReference: 'a', amount: 0 }, '0'],
		[amount('={{ $json.net * 1.19 }}'), { net: 10 }, '11.9'],
	])('an amount of 0 is sent when it is given, not calculated: %j of %j', async (...given) => {
		const [parameters, row, sent] = given;
		await run(parameters, row);
		expect(body()).toMatch(new RegExp(`"amount":${sent}[,}]`));
	});

	test.each([
		['reference', [{ ref: 'Invoice-17' }, { ref: 'invoice-17' }, { ref: 'invoice-17', id: 1 }]],
		['ID', [{ id: 1 }, { id: '1' }, { id: 1 }]],
	])('rows of one %s are sent one after the other, so that the last wins', async (_by, keys) => {
		await makePage();
		// The first takes longest.
		sandbox.fail({ endpoint: 'update', kind: 'latency', milliseconds: 200, nth: [1] });
		const from = {
			id: '={{ $json.id ?? "" }}',
			paymentPageLinkReference: '={{ $json.ref ?? "" }}',
		};
		const rows = keys.map((key, index) => ({ ...key, amount: index + 1 }));
		await sandbox.run({ rows, parameters: { ...update, ...from }, settings: continues });
		expect(sandbox.bodies.map(({ amount }) => amount)).toEqual([1, 2, 3]);
		expect(sandbox.service.state.pages.get('1')?.amount).toBe(3);
	});
});

describe('Validate Reference', () => {
	const parameters = { ...validate, paymentPageLinkReference: '={{ $json.reference }}' };

	test.each(['a', 'free'])('says whether a page exists, in clear words: %s', async (reference) => {
		await sandbox.run();
		const { output } = await sandbox.run({ rows: [{ reference }], parameters });
		const exists = reference === 'a';
		const answer = { exists, available: !exists, isValid: exists };
		expect(output).toEqual(paired({ paymentPageLinkReference: reference, ...answer }));
		const [, request] = sandbox.requests;
		expect(request).toMatchObject({ method: 'GET', keyUsed: 'privateKey' });
		expect(request?.body).toHaveLength(0);
		expect(request?.headers).not.toHaveProperty('content-type');
	});

	test.each(['../../WebhookRegistration', 'a%2Fb?c#d', 'ключ 🔑', 'x'.repeat(5000)])(
		'asks for %j as one segment, and meets the page that create made',
		async (reference) => {
			await sandbox.run({ rows: [{ paymentPageLinkReference: reference }] });
			expect(sandbox.references).toEqual([reference]);
			const { output } = await sandbox.run({ rows: [{ reference }], parameters });
			const path = '/api/PaymentPages/ValidatePaymentPageLinkRefernce/';
			expect(sandbox.requests[1]?.url).toBe(`${path}${encodeURIComponent(reference)}`);
			expect(output[0]?.json).toMatchObject({ paymentPageLinkReference: reference, exists: true });
		},
	);

	test.each(['{}', '{"isValid":"true"}', 'null'])('fails without its answer: %s', async (data) => {
		const answer = { body: `{"responseCode":"00","data":${data}}` };
		const { error, sent } = await sandbox.runAt(() => answer, { parameters: validate });
		expect(error?.message).toBe('The service did not say whether the reference exists');
		expect(sent).toHaveLength(1);
	});
});

describe('Register', () => {
	const { webhookUrl } = register;

	test('registers with the API key and never shows the secret', async () => {
		const secret = 'whsec-"quoted"-0123456789';
		const credential = { webhookSecret: ` ${secret}\n` };
		const { run, output } = await sandbox.run({ parameters: register, credential });
		const url = '/api/WebhookRegistration/RegisterWebhook';
		expect(sandbox.requests).toMatchObject([{ method: 'POST', url, keyUsed: 'apiKey' }]);
		expect(body()).toBe(
			`{"webhookUrl":"${webhookUrl}",${merchant},"secret":${JSON.stringify(secret)}}`,
		);
		const own = { webhookUrl: `${webhookUrl}/`, merchantId: '1002003004005006007' };
		const responseMessage = 'Webhook registered successfully';
		expect(output).toEqual(paired({ registered: true, ...own, responseMessage }));
		expect(JSON.stringify(run.data.resultData.runData['Payment Page'])).not.toContain('whsec');
	});

	test('registers several items one after the other, so that the last wins', async () => {
		sandbox.fail({ endpoint: 'register', kind: 'latency', milliseconds: 200, nth: [1] });
		const rows = [1, 2].map((number) => ({ url: `${webhookUrl}/${number}` }));
		await sandbox.run({ rows, parameters: { ...register, webhookUrl: '={{ $json.url }}' } });
		expect(sandbox.service.state.registration?.webhookUrl).toBe(`${webhookUrl}/2/`);
	});
});

const nothing = /^The row has nothing to change .* A field cannot be emptied\./;
const both = /^'Page ID' and 'Reference' are both empty Fill in /;
const noId = /^('Page ID' must contain only digits|'Page ID' (arrived|is too large))/;
const other = /^The column 'merchantId' names another merchant than .* Use a credential of that/;
const zero = /^'Amount' is calculated as 0: "\{\{ .* Check whether a column is empty\. For a/;
const twice = /^'Amount' \(amount\) has two columns, "Amount" and "AMOUNT"/;
const noReference = /^'Reference' is empty, but 'If Reference Exists' is set to 'Skip' Enter /;
const noName = (advice: string) =>
	new RegExp(`^'Page Name' and 'Reference' are both empty ${advice}`);
const page = { pageName: 'A', paymentPageLinkReference: 'a', amount: 5 };
const below = (id: string, amount = '5') => ({ operation: 'update', id, updateFields: { amount } });
const asked = (reference: string) => ({ ...validate, paymentPageLinkReference: reference });

type Case = [words: RegExp, INodeParameters, row: IDataObject, INodeParameters?];

test.each<Case>([
	[both, update, { id: 7, amount: 5 }],
	[nothing, { operation: 'update', id: '1' }, {}],
	[nothing, below('1', '={{ $json.total }}'), { total: '' }],
	[nothing, update, { paymentPageLinkReference: 'a', isDeleted: true, crmOwner: 'Kim' }],
	[/^The row is empty Remove /, update, { pageName: '', amount: null }],
	...['12a', '１２', '9223372036854775808', 1.5, 2 ** 53, true].map(
		(id): Case => [noId, below('={{ $json.id }}'), { id }],
	),
	[zero, below('1', '={{ Number($json.total) }}'), { total: '' }],
	[/^'Reference' is empty Enter the/, asked(''), {}],
	[/^'Reference' must not be "\." or/, asked('..'), {}],
	[/^'Merchant ID' /, create, page, { merchantId: '12a' }],
	[/^'API Key' /, register, {}, { apiKey: 'a\nb' }],
	// A workflow of an older version may hold a secret; nobody could know a derived one.
	[/^'Webhook Secret' must be /, { ...register, secret: 'typed' }, {}, { webhookSecret: 'short' }],
	[/^'Webhook Secret' is empty in /, { ...register, secret: 'typed' }, {}, { webhookSecret: '' }],
	[/^'Webhook URL' is empty/, { ...register, webhookUrl: '={{ $json.url }}' }, { url: '' }],
	[/^'Webhook URL' must be /, { ...register, webhookUrl: '={{ $json.url }}' }, { url: 42 }],
	[/^The row is empty Remove /, create, { pageName: '', amount: null, row_number: 3 }],
	[noName('The rows need a column'), create, { amount: 5 }],
	[noName('Fill in at least one'), { pageName: ' ' }, {}],
	[/^'Amount' is empty, but 'Fixed Amount' is on /, { pageName: 'A', isFixedAmount: true }, {}],
	[/^'Amount' is 0, but /, { pageName: 'A', amount: '0', isFixedAmount: true }, {}],
	...[create, update].flatMap((parameters): Case[] => [
		[twice, parameters, { Amount: 5, AMOUNT: 6 }],
		[other, parameters, { ...page, merchantId: 77 }],
		[other, parameters, { ...page, merchant_id: ' 77 ' }],
		[other, parameters, { ...page, MERCHANTID: '1002003004005006008' }],
	]),
	[noReference, skip, { pageName: 'Fee' }],
])('rejected in words, before anything is sent, %s: %j of %j', async (...given) => {
	// Named as parameters, the last one would be Jest's callback where a row has none.
	const [words, parameters, row, credential] = given;
	const { told } = await sandbox.run({ rows: [row], parameters, credential });
	expect(told).toMatch(words);
	expect(told).toMatch(/ Nothing was sent\.$/);
	expect(sandbox.requests).toEqual([]);
});
