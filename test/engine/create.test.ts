import { automatic, useSandbox } from './sandbox';

const sandbox = useSandbox();

/** Every field of the interface's create request, in its order, with a value of its type. */
const allFields = {
	businessName: 'Café Ålesund',
	pageName: 'Invoice "17"',
	description: 'Line 1\nLine 2',
	amount: '49.90',
	isFixedAmount: true,
	isPhoneNumberRequired: false,
	paymentPageLink: 'https://pay.shop.example/invoice-17',
	paymentPageLinkReference: 'invoice-17',
	callBackUrl: 'https://www.shop.example/paid?order=17',
	successMessage: 'Thank you!',
	notificationEmail: 'owner@shop.example',
	isTestMode: true,
	pageType: 'standard',
	additionalFields: '[{"name":"Order"}]',
};

const allFieldsBody =
	'"businessName":"Café Ålesund","pageName":"Invoice \\"17\\"","description":"Line 1\\nLine 2",' +
	'"amount":49.90,"isFixedAmount":true,"isPhoneNumberRequired":false,' +
	'"paymentPageLinkReference":"invoice-17",' +
	'"callBackUrl":"https://www.shop.example/paid?order=17","successMessage":"Thank you!",' +
	'"notificationEmail":"owner@shop.example","isTestMode":true,"pageType":"standard"';

/** The members of a request body, in any order, each as its bytes. */
function members(body: Buffer): string[] {
	const text = body.toString('utf8');
	return text
		.slice(1, -1)
		.split(/,(?="\w+":)/)
		.sort();
}

describe('the request', () => {
	const wholeBody = `{"merchantId":1002003004005006007,${allFieldsBody},"additionalFields":"[{\\"name\\":\\"Order\\"}]"}`;
	const link = '"paymentPageLink":"https://pay.shop.example/invoice-17"';

	test.each([
		['with each field below', { ...fieldsBelow() }, [{}], [link]],
		// Many tables have a link of their own, so a column never gives one.
		['mapped automatically', automatic('create'), [{ ...allFields, crmOwner: 'Kim', id: 99 }], []],
	])('carries every field, %s', async (_mode, parameters, rows, more) => {
		await sandbox.run({ rows, parameters });
		const [request] = sandbox.requests;
		expect(sandbox.requests).toHaveLength(1);
		expect(request?.method).toBe('POST');
		expect(request?.url).toBe('/api/PaymentPages/Add');
		expect(request?.keyUsed).toBe('privateKey');
		expect(request?.headers).toMatchObject({
			authorization: `Bearer ${sandbox.service.settings.privateKey}`,
			'content-type': 'application/json',
			accept: 'application/json',
		});
		expect(members(request?.body ?? Buffer.alloc(0))).toEqual(
			[...members(Buffer.from(wholeBody)), ...more].sort(),
		);
	});

	function fieldsBelow() {
		const { pageName, amount, isFixedAmount, paymentPageLinkReference, ...optionalFields } =
			allFields;
		return { pageName, amount, isFixedAmount, paymentPageLinkReference, optionalFields };
	}

	test('leaves blanks out and sends a deliberate 0 and false', async () => {
		await sandbox.run({
			rows: [
				{
					pageName: 'Zero',
					amount: 0,
					isFixedAmount: false,
					description: '',
					businessName: null,
					successMessage: '  ',
					isTestMode: undefined,
				},
			],
			parameters: automatic('create'),
		});
		expect(sandbox.requests[0]?.body.toString()).toBe(
			'{"merchantId":1002003004005006007,"additionalFields":"[]","pageName":"Zero","amount":0,"isFixedAmount":false,"paymentPageLinkReference":"zero"}',
		);
	});

	test('leaves out what is blank in the panel too', async () => {
		await sandbox.run({
			parameters: {
				pageName: 'Zero',
				optionalFields: { description: '', isTestMode: false, additionalFields: '' },
			},
		});
		expect(sandbox.requests[0]?.body.toString()).toBe(
			'{"merchantId":1002003004005006007,"additionalFields":"[]","pageName":"Zero","isFixedAmount":false,"isTestMode":false,"paymentPageLinkReference":"zero"}',
		);
	});

	test.each([
		['number', 12.5, '12.5'],
		['number as text', ' 12.50 ', '12.50'],
		['whole number as text', '12', '12'],
		['sum with the noise of a double', 0.1 + 0.2, '0.3'],
	])('sends an amount given as %s', async (_form, amount, onTheWire) => {
		await sandbox.run({ rows: [{ pageName: 'A', amount }], parameters: automatic('create') });
		expect(sandbox.requests[0]?.body.toString()).toContain(`"amount":${onTheWire},`);
	});

	test.each([
		['true', true],
		['FALSE', false],
		[' True ', true],
		['1', true],
		[0, false],
		['Yes', true],
		['no', false],
		['ON', true],
		['off', false],
		[[true], true],
	])('makes a boolean of %j', async (text, value) => {
		await sandbox.run({
			rows: [{ text }],
			parameters: { pageName: 'A', optionalFields: { isTestMode: '={{ $json.text }}' } },
		});
		expect(sandbox.requests[0]?.body.toString()).toContain(`"isTestMode":${value}`);
	});

	test.each([
		['text', '[{"a":"b"}]', '[{"a":"b"}]'],
		['text with blanks of its own', '{ "a": 1 }', '{ "a": 1 }'],
		['text encoded once too often', '"[{\\"a\\":\\"b\\"}]"', '[{"a":"b"}]'],
		['a list', [{ a: 'b' }], '[{"a":"b"}]'],
		['an object', { a: 'é"' }, '{"a":"é\\""}'],
		['an empty list', [], '[]'],
		['text of another kind', 'color=red', 'color=red'],
		['broken JSON', '[{"a":', '[{"a":'],
		['a number', 17, '17'],
		['nothing', undefined, '[]'],
	])('encodes additionalFields given as %s exactly once', async (_form, value, expected) => {
		const byField = { pageName: 'A', optionalFields: { additionalFields: '={{ $json.value }}' } };
		await sandbox.run({ rows: [{ value }], parameters: byField });
		await sandbox.run({
			rows: [{ pageName: 'A', additionalFields: value }],
			parameters: automatic('create'),
		});
		for (const { body } of sandbox.requests) {
			expect(JSON.parse(body.toString())).toMatchObject({ additionalFields: expected });
		}
		expect(sandbox.requests).toHaveLength(2);
	});

	test('sends a date as its text', async () => {
		const rows = [{ pageName: 'A', description: new Date('2026-01-02T03:04:05Z') }];
		await sandbox.run({ rows, parameters: automatic('create') });
		await sandbox.run({ parameters: { pageName: '={{ DateTime.fromISO("2026-01-02") }}' } });
		expect(sandbox.requests[0]?.body.toString()).toContain('"2026-01-02T03:04:05.000Z"');
		expect(sandbox.requests[1]?.body.toString()).toContain('"pageName":"2026-01-02T00:00:00');
	});

	test('derives the reference from the page name', async () => {
		await sandbox.run({
			rows: [{ pageName: "Zoë's Façade & Sons" }],
			parameters: automatic('create'),
		});
		expect(sandbox.requests[0]?.body.toString()).toContain(
			'"paymentPageLinkReference":"zoes-facade-sons"',
		);
	});
});

describe('the output', () => {
	test('is the page, with an ID beyond 2^53 as text', async () => {
		sandbox.service.configure({ firstId: '9007199254740993' });
		const parameters = automatic('create', { simplify: false });
		const { output } = await sandbox.run({ rows: [allFields], parameters });
		expect(output).toEqual([
			{
				json: {
					...allFields,
					pageType: undefined, // the service does not return it
					paymentPageLink: expect.stringMatching(/\/pay\/invoice-17$/),
					amount: 49.9,
					id: '9007199254740993',
					merchantId: '1002003004005006007',
					isActive: true,
					isDeleted: false,
					dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+$/),
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('is a small ID as a number', async () => {
		const { output } = await sandbox.run({ rows: [allFields], parameters: automatic('create') });
		expect(output[0]?.json.id).toBe(1);
	});

	test('is simplified by default, in the names of the service', async () => {
		const { output } = await sandbox.run({ rows: [allFields], parameters: automatic('create') });
		expect(output[0]?.json).toEqual({
			id: 1,
			paymentPageLink: expect.stringMatching(/\/pay\/invoice-17$/),
			paymentPageLinkReference: 'invoice-17',
			pageName: 'Invoice "17"',
			description: 'Line 1\nLine 2',
			amount: 49.9,
			isFixedAmount: true,
			isTestMode: true,
			isActive: true,
			dateCreated: expect.any(String),
		});
	});
});
