import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { anyRow, continues, operations, told, useSandbox, type CredentialChange } from './sandbox';

/** What Update, Validate Reference and Register send and give, and what they ask for. */
const sandbox = useSandbox();

const merchant = '"merchantId":1002003004005006007';

describe('the request stands in the description', () => {
	const declared: Array<[string, string, INodeParameters]> = [
		['POST', '/PaymentPages/Add', operations.create],
		['POST', '/PaymentPages/Update', operations.update],
		['GET', '/PaymentPages/ValidatePaymentPageLinkRefernce/', operations.validate],
		['POST', '/WebhookRegistration/RegisterWebhook', operations.register],
	];

	test.each(declared)('%s %s is sent, and elsewhere if it says so', async (...given) => {
		const [method, path, parameters] = given;
		const choices = new PaymentPage().description.properties.flatMap(({ name, options = [] }) =>
			name === 'operation' ? (options as INodePropertyOptions[]) : [],
		);
		const { routing } = choices.find(({ value }) => value === parameters.operation) ?? {};
		expect(routing?.request).toEqual({ method, url: path });
		await sandbox.run({ rows: [anyRow], parameters });
		expect(sandbox.requests[0]).toMatchObject({ method, url: expect.stringContaining(path) });
		Object.assign(routing?.request ?? {}, { url: `/Declared${path}` });
		try {
			await sandbox.run({ rows: [anyRow], parameters });
		} finally {
			Object.assign(routing?.request ?? {}, { url: path });
		}
		expect(sandbox.requests[1]?.url).toContain(`/Declared${path}`);
	});
});

describe('Update', () => {
	const existing = { pageName: 'Invoice 17', paymentPageLinkReference: 'invoice-17', amount: 10 };

	const update = async (parameters: INodeParameters, row: IDataObject = {}) =>
		await sandbox.run({ rows: [row], parameters: { operation: 'update', ...parameters } });

	/** A page to update; the requests of the tests start after its own. */
	async function makePage(): Promise<void> {
		await sandbox.run({ rows: [existing], parameters: operations.create });
		sandbox.requests.length = 0;
	}

	const body = () => sandbox.requests[0]?.body.toString();

	test('sends the fields of the panel and only those', async () => {
		await makePage();
		const { output } = await update({
			id: '1',
			paymentPageLinkReference: 'invoice-17',
			updateFields: { amount: '0', isDeleted: false, description: '' },
		});
		expect(sandbox.requests).toMatchObject([
			{ method: 'POST', url: '/api/PaymentPages/Update', keyUsed: 'privateKey' },
		]);
		expect(body()).toBe(
			`{${merchant},"id":1,"amount":0,"paymentPageLinkReference":"invoice-17","isDeleted":false}`,
		);
		const json = {
			updated: true,
			id: 1,
			paymentPageLinkReference: 'invoice-17',
			responseMessage: 'Payment page updated successfully',
		};
		expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(sandbox.service.state.pages.get('1')).toMatchObject({
			amount: 0,
			pageName: 'Invoice 17',
		});
	});

	test('keeps every digit of an ID beyond 2^53, both ways', async () => {
		sandbox.service.configure({ firstId: '9007199254740993' });
		await makePage();
		const { output } = await update(
			{ id: '={{ $json.pageId }}', updateFields: { amount: '5' } },
			{ pageId: '9007199254740993' },
		);
		expect(body()).toBe(`{${merchant},"id":9007199254740993,"amount":5}`);
		expect(output[0]?.json.id).toBe('9007199254740993');
		expect(sandbox.service.state.pages.get('9007199254740993')?.amount).toBe(5);
	});

	// Which page is meant is not up to a column that many tables have for themselves.
	test.each<[string, INodeParameters, string]>([
		['columns', {}, '"amount":5,"paymentPageLinkReference":"inv-1"'],
		[
			'parameters, which come first',
			{ id: '={{ $json.crmPage }}', paymentPageLinkReference: '=no-{{ $json.crmPage }}' },
			'"id":41,"amount":5,"paymentPageLinkReference":"no-41"',
		],
		[
			'parameters whose column is blank',
			{ id: '={{ $json.none }}', paymentPageLinkReference: '={{ $json.none }}' },
			'"amount":5,"paymentPageLinkReference":"inv-1"',
		],
	])('mapped automatically, takes the page from %s', async (_from, parameters, sent) => {
		const own = { id: 7, isDeleted: true, paymentPageLink: 'https://crm.example', pageType: 'x' };
		const row = { ...own, crmPage: 41, none: '', paymentPageLinkReference: 'inv-1', amount: 5 };
		await update({ ...operations.update, ...parameters }, row);
		expect(body()).toBe(`{${merchant},${sent}}`);
	});

	test.each([
		['0', {}],
		['={{ $json.total }}', { total: 0 }],
		['={{ $json["total"] }}', { total: '0.00' }],
	])('an amount of 0 is sent when it is given: %s of %j', async (amount, row) => {
		await update({ id: '1', updateFields: { amount } }, row);
		expect(body()).toMatch(/"amount":0(\.00)?}/);
	});

	test.each([
		['reference', [{ ref: 'Invoice-17' }, { ref: 'invoice-17' }, { ref: 'invoice-17', id: 1 }]],
		['ID', [{ id: 1 }, { id: '1' }, { id: 1 }]],
	])('rows of one %s are sent one after the other, so that the last wins', async (_by, keys) => {
		await makePage();
		// The first takes longest.
		sandbox.fail(
			{ endpoint: 'update', kind: 'latency', milliseconds: 200, nth: [1] },
			{ endpoint: 'update', kind: 'latency', milliseconds: 100, nth: [2] },
		);
		await sandbox.run({
			rows: keys.map((key, index) => ({ ...key, amount: index + 1 })),
			parameters: {
				...operations.update,
				id: '={{ $json.id ?? "" }}',
				paymentPageLinkReference: '={{ $json.ref ?? "" }}',
			},
			settings: continues,
		});
		expect(sandbox.bodies.map(({ amount }) => amount)).toEqual([1, 2, 3]);
		expect(sandbox.service.state.pages.get('1')?.amount).toBe(3);
	});
});

describe('Validate Reference', () => {
	const parameters = { ...operations.validate, paymentPageLinkReference: '={{ $json.reference }}' };

	test.each(['taken', 'free'])(
		'says whether a page exists, in clear words: %s',
		async (reference) => {
			const row = { pageName: 'A', paymentPageLinkReference: 'taken' };
			await sandbox.run({ rows: [row], parameters: operations.create });
			const { output } = await sandbox.run({ rows: [{ reference }], parameters });
			const exists = reference === 'taken';
			const answer = { exists, available: !exists, isValid: exists };
			const json = { paymentPageLinkReference: reference, ...answer };
			expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
			const [, request] = sandbox.requests;
			expect(request).toMatchObject({ method: 'GET', keyUsed: 'privateKey' });
			expect(request?.body).toHaveLength(0);
			expect(request?.headers).not.toHaveProperty('content-type');
		},
	);

	test.each([
		['a/b', 'a%2Fb'],
		['a%2Fb', 'a%252Fb'],
		['../../WebhookRegistration', '..%2F..%2FWebhookRegistration'],
		['a?b#c', 'a%3Fb%23c'],
		['50 % off', '50%20%25%20off'],
		['ключ 🔑', '%D0%BA%D0%BB%D1%8E%D1%87%20%F0%9F%94%91'],
		['a"b\\c', 'a%22b%5Cc'],
		['...', '...'],
		['a;b=c,d', 'a%3Bb%3Dc%2Cd'],
		["it's (1)!*~", "it's%20(1)!*~"],
		['x'.repeat(5000), 'x'.repeat(5000)],
	])(
		'asks for %j as one segment, and meets the page that create made',
		async (reference, segment) => {
			const row = { paymentPageLinkReference: reference };
			await sandbox.run({ rows: [row], parameters: operations.create });
			expect(sandbox.references).toEqual([reference]);
			const { output } = await sandbox.run({ rows: [{ reference }], parameters });
			expect(sandbox.requests[1]?.url).toBe(
				`/api/PaymentPages/ValidatePaymentPageLinkRefernce/${segment}`,
			);
			expect(output[0]?.json).toMatchObject({ paymentPageLinkReference: reference, exists: true });
		},
	);

	test.each(['{}', '{"isValid":"true"}', 'null'])('fails without its answer: %s', async (data) => {
		const body = `{"responseCode":"00","data":${data}}`;
		const { error, sent } = await sandbox.runAt(() => ({ body }), {
			parameters: operations.validate,
		});
		expect(error?.message).toBe('The service did not say whether the reference exists');
		expect(sent).toHaveLength(1);
	});
});

describe('Register', () => {
	const { webhookUrl } = operations.register;
	const secret = 'whsec-"quoted"-0123456789';

	test('registers with the API key and never shows the secret', async () => {
		const { run, output } = await sandbox.run({
			parameters: operations.register,
			credential: { webhookSecret: ` ${secret}\n` },
		});
		expect(sandbox.requests).toMatchObject([
			{ method: 'POST', url: '/api/WebhookRegistration/RegisterWebhook', keyUsed: 'apiKey' },
		]);
		expect(sandbox.requests[0]?.body.toString()).toBe(
			`{"webhookUrl":"${webhookUrl}",${merchant},"secret":${JSON.stringify(secret)}}`,
		);
		const json = {
			registered: true,
			webhookUrl: `${webhookUrl}/`,
			merchantId: '1002003004005006007',
			responseMessage: 'Webhook registered successfully',
		};
		expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(JSON.stringify(run.data.resultData.runData['Payment Page'])).not.toContain('whsec');
	});

	test('registers several items one after the other, so that the last wins', async () => {
		sandbox.fail({ endpoint: 'register', kind: 'latency', milliseconds: 200, nth: [1] });
		await sandbox.run({
			rows: [{ url: `${webhookUrl}/1` }, { url: `${webhookUrl}/2` }],
			parameters: { ...operations.register, webhookUrl: '={{ $json.url }}' },
		});
		expect(sandbox.service.state.registration?.webhookUrl).toBe(`${webhookUrl}/2/`);
	});
});

describe('rejected in words, before anything is sent', () => {
	const { create, skip, update, validate, register } = operations;
	const nothing =
		/^The row has nothing to change .* A field cannot be emptied\. Nothing was sent\.$/;
	const both = /^'Page ID' and 'Reference' are both empty Fill in .* Nothing was sent\.$/;
	const noId = /^('Page ID' must contain only digits|'Page ID' (arrived|is too large))/;
	const other = /^The column 'merchantId' names another merchant than .* Use a credential of that/;
	const zero = /^'Amount' is calculated as 0: "\{\{ /;
	const wantsReference = /^'Reference' is empty, but 'If Reference Exists' is set to 'Skip' Enter /;
	const below = (id: string, amount: string) => ({
		...{ operation: 'update', id },
		updateFields: { amount },
	});
	const page = { pageName: 'A', paymentPageLinkReference: 'a', amount: 5 };
	const sharing = { pageName: 'Fee', amount: '={{ $json.total }}', isFixedAmount: true };

	test.each<[RegExp, INodeParameters, IDataObject, CredentialChange?]>([
		[both, update, { id: 7, amount: 5 }],
		[nothing, { operation: 'update', id: '1' }, {}],
		[nothing, below('1', '={{ $json.total }}'), { total: '' }],
		[nothing, update, { paymentPageLinkReference: 'a', isDeleted: true, crmOwner: 'Kim' }],
		[/^The row is empty Remove /, update, { pageName: '', amount: null }],
		...['12a', '-1', '1.0', '1 000', '１２', '9223372036854775808', 1.5, 2 ** 53, true].map(
			(id): [RegExp, INodeParameters, IDataObject] => [noId, below('={{ $json.id }}', '5'), { id }],
		),
		...['={{ $json.total * 1.19 }}', '={{ Number($json.total) }}', '={{ $json.total || 0 }}'].map(
			(amount): [RegExp, INodeParameters, IDataObject] => [zero, below('1', amount), { total: '' }],
		),
		[/^'Reference' is empty Enter the/, { ...validate, paymentPageLinkReference: '' }, {}],
		[/^'Reference' must not be "\." or/, { ...validate, paymentPageLinkReference: '..' }, {}],
		// A workflow of an older version may hold a secret; nobody could know a derived one.
		[
			/^'Webhook Secret' must be /,
			{ ...register, secret: 'typed' },
			{},
			{ webhookSecret: 'short' },
		],
		[/^'Webhook Secret' is empty in /, { ...register, secret: 'typed' }, {}, { webhookSecret: '' }],
		...['', 'hooks.shop.example', 'ftp://x.example', 'https://', 'https://a b.example', 42].map(
			(url): [RegExp, INodeParameters, IDataObject] => [
				/^'Webhook URL' /,
				{ ...register, webhookUrl: '={{ $json.url }}' },
				{ url },
			],
		),
		[/^The row is empty Remove /, create, { pageName: '', amount: null, row_number: 3 }],
		[/^'Page Name' and 'Reference' are both empty The rows need a column/, create, { amount: 5 }],
		...[create, update].flatMap(
			(parameters): Array<[RegExp, INodeParameters, IDataObject]> => [
				[
					/^'Amount' \(amount\) has two columns, "Amount" and "AMOUNT"/,
					parameters,
					{ Amount: 5, AMOUNT: 6 },
				],
				[other, parameters, { ...page, merchantId: '77' }],
				[other, parameters, { ...page, merchantID: 77 }],
				[other, parameters, { ...page, merchant_id: ' 77 ' }],
				[other, parameters, { ...page, MERCHANTID: '1002003004005006008' }],
			],
		),
		[wantsReference, skip, { pageName: 'Fee' }],
		[wantsReference, { ...sharing, ifReferenceExists: 'skip' }, { total: 5 }],
	])('%s: %j of %j', async (...given) => {
		// Named as parameters, the last one would be Jest's callback where a row has none.
		const [words, parameters, row, credential] = given;
		const outcome = await sandbox.run({ rows: [row], parameters, credential });
		expect(told(outcome)).toMatch(words);
		expect(told(outcome)).toMatch(/ Nothing was sent\.$/);
		expect(sandbox.requests).toEqual([]);
	});
});
