import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { anyRow, automatic, continues, operations, told, triesAgain, useSandbox } from './sandbox';

/** What Create sends and gives, and which values its fields take. */
const sandbox = useSandbox();

const { create } = operations;

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

/** The members of the first request's body, each as its bytes. */
function members(): string[] {
	const body = sandbox.requests[0]?.body.toString() ?? '';
	return body.slice(1, -1).split(/,(?="\w+":)/);
}

/** The same in the panel. */
function below({ pageName, amount, isFixedAmount, ...more }: IDataObject): INodeParameters {
	const { paymentPageLinkReference = '', ...optionalFields } = more;
	const own = { pageName, amount, isFixedAmount, paymentPageLinkReference };
	return { ...own, optionalFields } as INodeParameters;
}

const merchant = '"merchantId":1002003004005006007';
const paymentPageLink = 'https://pay.shop.example/invoice-17';

test.each<[string, INodeParameters, IDataObject, IDataObject]>([
	['with each field below', below({ ...allFields, paymentPageLink }), {}, { paymentPageLink }],
	// Many tables have a link of their own, so a column never gives one.
	['mapped automatically', create, { ...allFields, paymentPageLink, crmOwner: 'Kim', id: 99 }, {}],
])('the request carries every field, %s', async (_mode, parameters, row, more) => {
	await sandbox.run({ rows: [row], parameters });
	expect(sandbox.requests).toMatchObject([
		{
			method: 'POST',
			url: '/api/PaymentPages/Add',
			keyUsed: 'privateKey',
			headers: {
				authorization: `Bearer ${sandbox.service.settings.privateKey}`,
				'content-type': 'application/json',
				accept: 'application/json',
			},
		},
	]);
	const fields = Object.entries({ ...allFields, ...more }).map(
		([name, value]) => `"${name}":${name === 'amount' ? value : JSON.stringify(value)}`,
	);
	expect(members().sort()).toEqual([merchant, ...fields].sort());
});

const zero = {
	pageName: 'Zero',
	amount: 0,
	isFixedAmount: false,
	isTestMode: false,
	description: '',
};

test.each<[INodeParameters, IDataObject]>([
	[create, { ...zero, businessName: null }],
	[below(zero), {}],
])('blanks are left out, and a deliberate 0 and false are sent', async (parameters, row) => {
	await sandbox.run({ rows: [row], parameters });
	expect(sandbox.bodies).toEqual([
		{
			merchantId: 1002003004005006000,
			additionalFields: '[]',
			pageName: 'Zero',
			amount: 0,
			isFixedAmount: false,
			isTestMode: false,
			paymentPageLinkReference: 'zero',
		},
	]);
});

/** What is sent for each of some values of a field. */
const sent: Array<[field: string, sent: unknown, ...values: unknown[]]> = [
	['description', '2026-01-02T03:04:05.000Z', new Date('2026-01-02T03:04:05Z')],
	['description', '17', 17, [17]],
	['notificationEmail', 'owner@shop.example', '\ufeff\u200b owner@shop.example\u00a0\n'],
	['callBackUrl', 'http://localhost:5678/x?a=b%2Bc', 'http://localhost:5678/x?a=b%2Bc'],
	['isTestMode', true, true, 'true', ' True ', 1, '1', 'Yes', 'ON', [true]],
	['isTestMode', false, false, 'FALSE', 0, '0\u00a0', 'no', 'off'],
	['additionalFields', '[{"a":"b"}]', [{ a: 'b' }], '[{"a":"b"}]', '"[{\\"a\\":\\"b\\"}]"'],
	['additionalFields', '{ "a": "é" }', '{ "a": "é" }'],
	['additionalFields', '{"a":"é\\""}', { a: 'é"' }],
	['additionalFields', '[]', [], '[]', '', undefined],
	['additionalFields', 'color=red', 'color=red'],
	['additionalFields', '[{"a":', '[{"a":'],
	['additionalFields', '17', 17, '17'],
	// An amount that can be read in one way.
	['amount', 0.3, 0.1 + 0.2],
	['amount', 59.381, 49.9 * 1.19],
	['amount', 9007199254740991, 9007199254740991, '9007199254740991'],
	['amount', 5, '+5', ' 5.00 ', '5,0'],
	['amount', 49.9, [49.9], '49,90', '٤٩٫٩٠', '４９．９０'],
	['amount', 123, '१२३'],
	['amount', 1250, '1 250,00', '1\u00a0250,00', '1\u202f250', "1'250.00", '1’250', '١٬٢٥٠'],
	['amount', 1234.56, '1.234,56', '1,234.56'],
	['amount', 1234567, '1.234.567', '12,34,567'],
	['amount', 100000.5, '1,00,000.50'],
	['amount', 0.125, '0,125'],
	['amount', 1234.567, '1234,567'],
	['amount', 1000, '1000.000'],
	// A text is sent byte for byte.
	...[
		...['It\'s "quoted" \\ and / slashed', '100 % %41 %00', '🧾 👨‍👩‍👧', '<script>alert(1)</script>'],
		...[
			' line\r\nbreak\ttab\u0000null\u2028\u200b',
			'{{ $json.x }}',
			'=1+1',
			'12345678901234567890',
		],
		...['half \ud83d of an emoji', 'Ä"\\/🔑'.repeat(1000)],
	].map((text): [string, string, string] => ['pageName', text, text]),
];

test.each(sent)('%s: %j is sent for %j', async (field, expected, ...values) => {
	for (const value of values) {
		const row = { ...anyRow, [field]: value } as IDataObject;
		await sandbox.run({ rows: [row], parameters: create });
	}
	expect(sandbox.bodies.map(({ [field]: value }) => value)).toEqual(values.map(() => expected));
});

test.each([
	['1.234', '1234 or 1.234', 'Write 1234 or 1.2340.'],
	['12,500', '12500 or 12.5', 'Write 12500 or 12.5.'],
	[' +1.250', '1250 or 1.25', 'Write 1250 or 1.25.'],
])('the amount %j can be read in two ways, and is rejected', async (amount, ways, advice) => {
	const outcome = await sandbox.run({ rows: [{ ...anyRow, amount }], parameters: create });
	expect(told(outcome)).toContain(`is unclear: "${amount.trim()}" can mean ${ways} ${advice}`);
	expect(sandbox.requests).toEqual([]);
});

test.each<[field: string, ...values: unknown[]]>([
	['amount', 'abc', '-1', '10 EUR', '€ 5', '5-', '0012', '00', '49.', '.5', '1..5', '1,2,3', '½'],
	['amount', '1.23.456', '1,234.567.8', '1e3', '1e21', '0x10', '9007199254740992', '#N/A'],
	['amount', 1e21, 1e-7, -0.01, NaN, Infinity, 9007199254740993, true, false, [10, 20]],
	[
		'callBackUrl',
		'www.shop.example',
		'https://',
		'https://a b.example',
		'ftp://a.example',
		'/a',
		17,
	],
	['paymentPageLinkReference', '.', ' .. ', '%2E%2e', '%252e.', '\uff0e\uff0e', '‥', 'half \ud83d'],
	['isTestMode', 2, 'maybe', '01', -1, {}],
	['pageName', { first: 'A' }, NaN, 2 ** 53, true],
	['description', ['a', 'b'], '#REF!', true],
	['additionalFields', [{ order: 2 ** 60 }]],
])('%s: %j is rejected by its name before anything is sent', async (field, ...values) => {
	const names = new RegExp(`^('[A-Z][A-Za-z ]+' \\(${field}\\)|'Reference') `);
	for (const value of values) {
		const rows = [{ pageName: 'Good' }, { ...anyRow, [field]: value } as IDataObject];
		const { error, output } = await sandbox.run({ rows, parameters: create });
		expect([value, error?.message]).toEqual([value, expect.stringMatching(names)]);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
		expect(output).toEqual([]);
		expect(sandbox.requests).toEqual([]);
	}
});

test('a long value is shown in an excerpt', async () => {
	const rows = [{ ...anyRow, amount: '😀'.repeat(1000) }];
	const { error } = await sandbox.run({ rows, parameters: create });
	expect(error?.message).toBe(
		`'Amount' (amount) must be a number such as 49.90, but is "${'😀'.repeat(60)}…"`,
	);
});

test('other rows go on with the error output', async () => {
	const rows = [
		{ pageName: 'A', amount: 'x' },
		{ pageName: 'B' },
		{ pageName: 'C', isTestMode: 2 },
	];
	const { output, errorOutput } = await sandbox.run({
		rows,
		parameters: create,
		settings: continues,
	});
	expect(sandbox.requests).toHaveLength(1);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	expect(errorOutput.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
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
		const { output } = await sandbox.run({ rows: [allFields], parameters: create });
		expect(output).toEqual([{ json: simple, pairedItem: { item: 0 } }]);
	});

	test('is the whole page, with an ID beyond 2^53 as text', async () => {
		sandbox.service.configure({ firstId: '9007199254740993' });
		const parameters = automatic('create', { simplify: false });
		const { output } = await sandbox.run({ rows: [allFields], parameters });
		expect(output[0]?.json).toEqual({
			...allFields,
			...simple,
			pageType: undefined, // the service does not return it
			id: '9007199254740993',
			merchantId: '1002003004005006007',
			isDeleted: false,
		});
	});

	test.each(['', ',"data":{}', ',"data":null', ',"data":[]'])(
		'is what was sent where the service answers without data: %j',
		async (data) => {
			const rows = [{ pageName: 'A', amount: '5.0', isTestMode: true }];
			const sent = { pageName: 'A', amount: 5, isFixedAmount: false, isTestMode: true };
			const json = { id: null, paymentPageLink: null, paymentPageLinkReference: 'a', ...sent };
			const whole = { merchantId: '1002003004005006007', additionalFields: '[]', ...json };
			for (const simplify of [true, false]) {
				const parameters = automatic('create', { simplify });
				const answer = () => ({ body: `{"responseCode":"00"${data}}` });
				const { output } = await sandbox.runAt(answer, { rows, parameters });
				expect(output[0]?.json).toEqual(simplify ? json : whole);
			}
		},
	);
});

describe('the answer is compared with the request', () => {
	const row = { pageName: 'A', amount: '49,90', isFixedAmount: true, isTestMode: true };
	const page = { id: 17, paymentPageLink: 'https://pay.example/a' };

	const answeredWith = async (data: IDataObject, settings = {}) =>
		await sandbox.runAt(
			() => ({ body: JSON.stringify({ responseCode: '00', data: { ...page, ...data } }) }),
			{ rows: [row], parameters: create, settings },
		);

	// No try of n8n sends it again, and each gives the same error.
	test.each([
		[{ amount: 4990 }, "'Amount' 4990"],
		[{ amount: '49' }, "'Amount' 49"],
		[{ isFixedAmount: false }, "'Fixed Amount' false"],
		[{ amount: 49.9, isTestMode: false }, "'Test Mode' false"],
		[{ amount: 1, paymentPageLink: undefined }, "'Amount' 1", 'unknown'],
	])(
		'%j is an error with the ID and the link',
		async (other, differs, link = page.paymentPageLink) => {
			const outcome = await answeredWith(other, triesAgain);
			expect(told(outcome)).toContain(
				`The service created another page than was asked for: ${differs} (ID 17, link ${link})`,
			);
			expect(told(outcome)).not.toContain('Nothing was sent.');
			expect(outcome.output).toEqual([]);
			expect(outcome.sent).toHaveLength(1);
		},
	);

	test.each([
		{},
		{ amount: 49.9, isFixedAmount: true, isTestMode: true },
		{ amount: '49.90', pageName: 'Another' },
		{ amount: null, isTestMode: null, isFixedAmount: 'yes' },
	])('%j is taken as it is', async (same) => {
		expect((await answeredWith(same)).output[0]?.json).toMatchObject(page);
	});
});
