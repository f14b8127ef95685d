import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { anyRow, automatic, continues, inTurn, triesAgain, useSandbox } from './sandbox';

/** What Create sends and gives, and which values its fields take. */
const sandbox = useSandbox();

const create = automatic('create');

/** Every field of the interface's create request, with a value of its type. */
const allFields = {
	businessName: 'Café Ålesund',
	pageName: 'Invoice "17"',
	description: 'Line 1\nLine 2',
	amount: '49.90',
	isFixedAmount: true,
	isPhoneNumberRequired: false,
	paymentPageLinkReference: 'invoice-17',
	callBackUrl: 'https://www.shop.example/paid?order=17',
	successMessage: 'Thank you!',
	notificationEmail: 'owner@shop.example',
	isTestMode: true,
	pageType: 'standard',
	additionalFields: '[{"name":"Order"}]',
};

const link = { paymentPageLink: 'https://pay.shop.example/invoice-17' };

test.each<[string, INodeParameters, IDataObject, IDataObject]>([
	['with each field below', { ...allFields, optionalFields: { ...allFields, ...link } }, {}, link],
	// Many tables have a link of their own, so a column never gives one.
	['mapped automatically', create, { ...allFields, ...link, crmOwner: 'Kim', id: 99 }, {}],
])('the request carries every field, %s', async (_mode, parameters, row, more) => {
	await sandbox.run({ rows: [row], parameters });
	const headers = {
		authorization: `Bearer ${sandbox.service.settings.privateKey}`,
		'content-type': 'application/json',
		accept: 'application/json',
	};
	const url = '/api/PaymentPages/Add';
	expect(sandbox.requests).toMatchObject([{ method: 'POST', url, keyUsed: 'privateKey', headers }]);
	const fields = Object.entries({ ...allFields, ...more }).map(
		([name, value]) => `"${name}":${name === 'amount' ? value : JSON.stringify(value)}`,
	);
	// Each member as its bytes.
	const body = sandbox.requests[0]?.body.toString() ?? '';
	const members = body.slice(1, -1).split(/,(?="\w+":)/);
	expect(members.sort()).toEqual(['"merchantId":1002003004005006007', ...fields].sort());
});

/** A text is sent byte for byte. */
const texts = [
	...['It\'s "quoted" \\ and / slashed', '100 % %41 %00', '🧾 👨‍👩‍👧', '<script>alert(1)</script>'],
	...[' line\r\nbreak\ttab\u0000null\u2028\u200b', '{{ $json.x }}', '=1+1', '12345678901234567890'],
	'half \ud83d of an emoji',
];

const asItIs = (field: string, ...values: string[]) =>
	values.map((value): [string, string, string] => [field, value, value]);

test.each<[field: string, sent: unknown, ...values: unknown[]]>([
	['description', '2026-01-02T03:04:05.000Z', new Date('2026-01-02T03:04:05Z')],
	['description', '17', 17, [17]],
	['notificationEmail', 'owner@shop.example', '\ufeff\u200b owner@shop.example\u00a0\n'],
	...asItIs('callBackUrl', 'http://localhost:5678/x?a=b%2Bc'),
	['isTestMode', true, true, 'true', ' True ', 1, '1', 'Yes', 'ON', [true]],
	['isTestMode', false, false, 'FALSE', 0, '0\u00a0', 'no', 'off'],
	['additionalFields', '[{"a":"b"}]', [{ a: 'b' }], '[{"a":"b"}]', '"[{\\"a\\":\\"b\\"}]"'],
	['additionalFields', '[]', [], '', undefined],
	...asItIs('additionalFields', '{ "a": "é" }', 'color=red', '[{"a":', '17'),
	// An amount that can be read in one way.
	['amount', 9007199254740991, 9007199254740991, '9007199254740991'],
	['amount', 5, '+5', ' 5.00 ', [5]],
	['amount', 49.9, '٤٩٫٩٠', '４９．９０'],
	['amount', 123, '१२३'],
	['amount', 1250, '1’250', '١٬٢٥٠'],
	['amount', 1234567, '12,34,567'],
	...asItIs('pageName', ...texts),
])('%s: %j is sent for %j', async (field, expected, ...values) => {
	const rows = values.map((value) => ({ ...anyRow, [field]: value }) as IDataObject);
	await sandbox.run({ rows, parameters: inTurn });
	expect(sandbox.bodies.map(({ [field]: value }) => value)).toEqual(values.map(() => expected));
});

test.each([
	[' +12,500', ' is unclear: "+12,500" can mean 12500 or 12.5 Write 12500 or 12.5.'],
	['1.234', ' is unclear: "1.234" can mean 1234 or 1.234 Write 1234 or 1.2340.'],
	['😀'.repeat(1000), ` must be a number such as 49.90, but is "${'😀'.repeat(60)}…"`],
])('the amount %j is rejected, and nothing is sent: %s', async (amount, words) => {
	const rows = [{ pageName: 'Good' }, { ...anyRow, amount }];
	const { told, error, output } = await sandbox.run({ rows });
	expect(told).toContain(`'Amount' (amount)${words}`);
	expect(error).toMatchObject({ context: { itemIndex: 1 } });
	expect(output).toEqual([]);
	expect(sandbox.requests).toEqual([]);
});

const noUrls = ['www.shop.example', 'https://', 'https://a b.example', 'ftp://a.example', '/a', 17];

test.each<[field: string, ...values: unknown[]]>([
	['amount', 'abc', '-1', '10 EUR', '€ 5', '5-', '0012', '00', '49.', '.5', '1..5', '1,2,3', '½'],
	['amount', '1.23.456', '1,234.567.8', '1e3', '0x10', '9007199254740992', '#N/A'],
	['amount', '123,45,678', '1,00,00', '1,,000', '01,000'],
	['amount', 1e21, 1e-7, -0.01, NaN, Infinity, 9007199254740993, true, false, [10, 20]],
	['callBackUrl', ...noUrls],
	['paymentPageLinkReference', '.', ' .. ', '%2E%2e', '%252e.', '\uff0e\uff0e', '‥', 'half \ud83d'],
	['isTestMode', 2, 'maybe', '01', -1, {}],
	['pageName', { first: 'A' }, NaN, 2 ** 53, true],
	['description', ['a', 'b'], '#REF!', true],
	['additionalFields', [{ order: 2 ** 60 }]],
])('%s: %j is rejected by its name, and other rows go on', async (field, ...values) => {
	const bad = values.map((value) => ({ ...anyRow, [field]: value }) as IDataObject);
	const good = { pageName: 'Good' };
	const { results, output } = await sandbox.run({ rows: [good, ...bad], settings: continues });
	const names = new RegExp(`^('[A-Z][A-Za-z ]+' \\(${field}\\)|'Reference') `);
	const named: unknown = expect.stringMatching(names);
	const words = results.slice(1).map(({ error }, index) => [values[index], error]);
	expect(words).toEqual(values.map((value) => [value, named]));
	expect(output).toMatchObject([{ json: good, pairedItem: { item: 0 } }]);
	expect(sandbox.requests).toHaveLength(1);
});

describe('the output', () => {
	const simple = {
		id: 1,
		paymentPageLink: expect.stringMatching(/\/pay\/invoice-17$/) as unknown,
		paymentPageLinkReference: 'invoice-17',
		pageName: 'Invoice "17"',
		description: 'Line 1\nLine 2',
		amount: 49.9,
		isFixedAmount: true,
		isTestMode: true,
		isActive: true,
		dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+$/) as unknown,
	};

	test('is the page, simplified by default, in the names of the service', async () => {
		const { output } = await sandbox.run({ rows: [allFields] });
		expect(output).toEqual([{ json: simple, pairedItem: { item: 0 } }]);
	});

	test('is the whole page, with an ID beyond 2^53 as text', async () => {
		sandbox.service.configure({ firstId: '9007199254740993' });
		const parameters = automatic('create', { simplify: false });
		const { output } = await sandbox.run({ rows: [allFields], parameters });
		const own = { id: '9007199254740993', merchantId: '1002003004005006007', isDeleted: false };
		// The service does not return the type.
		expect(output[0]?.json).toEqual({ ...allFields, ...simple, pageType: undefined, ...own });
	});

	test.each(['', ',"data":{}', ',"data":null', ',"data":[]'])(
		'is what was sent where the service answers without data: %j',
		async (data) => {
			const row = { ...anyRow, isTestMode: true };
			const json = { id: null, paymentPageLink: null, ...row, isFixedAmount: false };
			const whole = { merchantId: '1002003004005006007', additionalFields: '[]', ...json };
			for (const simplify of [true, false]) {
				const parameters = automatic('create', { simplify });
				const answer = () => ({ body: `{"responseCode":"00"${data}}` });
				const { output } = await sandbox.runAt(answer, { rows: [row], parameters });
				expect(output[0]?.json).toEqual(simplify ? json : whole);
			}
		},
	);
});

describe('the answer is compared with the request', () => {
	const page = { id: 17, paymentPageLink: 'https://pay.example/a' };

	const answeredWith = async (data: IDataObject, settings = {}) => {
		const body = JSON.stringify({ responseCode: '00', data: { ...page, ...data } });
		const row = { pageName: 'A', amount: '49,90', isFixedAmount: true, isTestMode: true };
		return await sandbox.runAt(() => ({ body }), { rows: [row], settings });
	};

	test.each([
		[{ amount: 4990 }, "'Amount' 4990"],
		[{ amount: '49' }, "'Amount' 49"],
		[{ isFixedAmount: false }, "'Fixed Amount' false"],
		[{ amount: 49.9, isTestMode: false }, "'Test Mode' false"],
		[{ amount: 1, paymentPageLink: undefined }, "'Amount' 1", 'unknown'],
	])(
		'%j is an error with the ID and the link',
		async (data, differs, link = page.paymentPageLink) => {
			// No try of n8n sends it again, and each gives the same error.
			const { told, output, sent } = await answeredWith(data, triesAgain);
			const words = 'The service created another page than was asked for';
			expect(told).toContain(`${words}: ${differs} (ID 17, link ${link})`);
			expect(told).not.toContain('Nothing was sent.');
			expect(output).toEqual([]);
			expect(sent).toHaveLength(1);
		},
	);

	test.each([
		{ amount: 49.9, isFixedAmount: true, isTestMode: true },
		{ amount: '49.90', pageName: 'Another' },
		{ amount: null, isTestMode: null, isFixedAmount: 'yes' },
	])('%j is taken as it is', async (same) => {
		expect((await answeredWith(same)).output[0]?.json).toMatchObject(page);
	});
});
