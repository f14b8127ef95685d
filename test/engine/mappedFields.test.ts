import { Expression, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

/** Fields with expressions, as people write them: a right row is sent, a blank or wrong one is not. */
const sandbox = useSandbox();

interface Row {
	[column: string]: unknown;
}

/** The body of the one request that a row makes. */
async function bodyOf(row: Row, fields: object): Promise<unknown> {
	const { error } = await sandbox.run({ rows: [row as never], parameters: fields as never });
	expect(error).toBeUndefined();
	expect(sandbox.requests).toHaveLength(1);
	return JSON.parse(String(sandbox.requests[0]?.body));
}

describe('a field that takes a column over', () => {
	test.each([
		['={{ $json.title }}', 'A title'],
		['={{$json.title}}', 'A title'],
		['={{ $json["A column"] }}', 'B title'],
		["={{ $json['A column'] }}", 'B title'],
		['={{ $json.nested.title }}', 'C title'],
		['={{ $json.list[0] }}', 'D title'],
		['={{ $json.title }} and more', 'A title and more'],
		['Before {{ $json.title }}', 'Before {{ $json.title }}'],
		['=Before {{ $json.title }}', 'Before A title'],
		['={{ $json.title.toUpperCase() }}', 'A TITLE'],
		['={{ $json.price }}', '12.5'],
		['={{ $json.none ?? "else" }}', 'else'],
	])('%s', async (expression, value) => {
		const row = {
			title: 'A title',
			'A column': 'B title',
			nested: { title: 'C title' },
			list: ['D title'],
			price: 12.5,
			yes: true,
		};
		const body = await bodyOf(row, { pageName: expression, optionalFields: {} });
		expect(body).toMatchObject({ pageName: value });
	});

	test.each(['={{ $json.missing }}', '={{ $json.nothing }}'])(
		'%s has no value, and is left out',
		async (expression) => {
			const fields = {
				paymentPageLinkReference: 'a',
				pageName: 'A',
				optionalFields: { description: expression },
			};
			const body = await bodyOf({ nothing: null }, fields);
			expect(Object.keys(body as Row)).not.toContain('description');
		},
	);

	test('in the collection, beside other expressions and fixed values', async () => {
		const optionalFields = {
			description: '={{ $json.text }}',
			businessName: '={{ $json.text + "!" }}',
			successMessage: 'Thanks',
			isTestMode: '={{ $json.test }}',
			additionalFields: '={{ $json.more }}',
		};
		const row = { text: 'Line', test: false, more: [{ name: 'Order' }] };
		expect(await bodyOf(row, { pageName: 'A', optionalFields })).toMatchObject({
			description: 'Line',
			businessName: 'Line!',
			successMessage: 'Thanks',
			isTestMode: false,
			additionalFields: '[{"name":"Order"}]',
		});
	});

	test.each([null, '={{ $json }}'])(
		'a collection that is none (%j) is empty',
		async (collection) => {
			const body = await bodyOf(
				{ description: 'A' },
				{ pageName: 'A', optionalFields: collection },
			);
			expect(body).not.toHaveProperty('description');
		},
	);

	test('each item has its own', async () => {
		const rows = ['A', 'B', 'C'].map((title) => ({ title }));
		const { output } = await sandbox.run({ rows, parameters: { pageName: '={{ $json.title }}' } });
		expect(output.map(({ json }) => json.pageName)).toEqual(['A', 'B', 'C']);
	});

	test('a name that is no column is n8n’s to judge', async () => {
		const { error } = await sandbox.run({ parameters: { pageName: '={{ $json.valueOf }}' } });
		expect(error?.message).toBe('this is a function, please add ()');
	});

	test('of the operation that checks a reference', async () => {
		const { output } = await sandbox.run({
			rows: [{ slug: 'a' }],
			parameters: {
				operation: 'validateReference',
				paymentPageLinkReference: '={{ $json.slug }}',
			},
		});
		expect(output[0]?.json).toMatchObject({ paymentPageLinkReference: 'a', exists: false });
	});
});

/** What a run with these rows ends with: the references sent, or the message. */
async function outcomeOf(rows: IDataObject[], fields: INodeParameters): Promise<unknown> {
	const { error } = await sandbox.run({ rows, parameters: fields });
	if (error !== undefined && sandbox.requests.length === 0) return error.message;
	return sandbox.requests.map(({ body }) => JSON.parse(String(body)) as unknown);
}

describe('columns with names of all languages and signs', () => {
	const columns = [
		'número',
		'straße',
		'año',
		'číslo',
		'番号',
		'מספר',
		"Customer's No",
		"N° d'ordre",
	];

	/** As n8n writes it when the column is dragged, and as its autocomplete does. */
	const dragged = (column: string) =>
		/^[\p{L}]+$/u.test(column) ? `$json.${column}` : `$json['${column.replace(/'/g, "\\'")}']`;

	test.each(columns)('%s', async (column) => {
		const value = `{{ ${dragged(column)} }}`;
		const fields = { pageName: `=No. ${value}`, paymentPageLinkReference: `=${value}` };
		const [body] = (await outcomeOf([{ [column]: 17 }], fields)) as IDataObject[];
		expect(body).toMatchObject({ pageName: 'No. 17', paymentPageLinkReference: '17' });
		sandbox.requests.length = 0;
		expect(await outcomeOf([{ [column]: '' }], { pageName: `=No. ${value}` })).toBe(
			'The row is empty',
		);
		const update = { operation: 'update', id: `=${value}`, updateFields: { amount: '5' } };
		expect(await outcomeOf([{ [column]: 17 }], update)).toMatchObject([{ id: 17 }]);
		sandbox.requests.length = 0;
		const question = { operation: 'validateReference', paymentPageLinkReference: `=${value}` };
		await sandbox.run({ rows: [{ [column]: 17 }], parameters: question });
		expect(sandbox.requests.map(({ url }) => url.split('/').at(-1))).toEqual(['17']);
	});
});

describe('a blank row becomes no page, whatever else its fields take', () => {
	const full = { name: 'Anna', no: '7', total: 5 };
	const blank = { name: '', no: null, total: '', row_number: 29 };

	test.each<INodeParameters>([
		{ paymentPageLinkReference: '={{ $now.toFormat("yyyy") }}-{{ $json.no }}' },
		{ paymentPageLinkReference: '={{ $workflow.name }}-{{ $json.no }}' },
		{ paymentPageLinkReference: '={{ $vars.PREFIX }}-{{ $json.no }}' },
		{ pageName: '={{ $json.name }} – {{ $("Rows").first().json.name }}' },
		{ pageName: '=Invoice {{ $input.item.json.name }}' },
		{ pageName: '=Invoice {{ $("Rows").item.json.name }}' },
		{ pageName: '=Invoice {{ $json\n.name }}' },
		{ pageName: '=Membership {{ $json.name }}', amount: '50' },
		{ pageName: '=Invoice {{ $json.name }}', paymentPageLinkReference: 'fixed' },
	])('%j', async (fields) => {
		const parameters = {
			pageName: '=Invoice {{ $json.name }}',
			amount: '={{ $json.total }}',
			...fields,
		};
		expect(await outcomeOf([full, blank], parameters)).toBe('The row is empty');
	});

	test.each<[INodeParameters, IDataObject]>([
		[{ pageName: 'Donation', amount: '5' }, {}],
		[{ pageName: 'Deposit', amount: '={{ $json.total }}' }, { total: '' }],
		[{ pageName: '=Donation {{ $now.year }}' }, {}],
		[
			{ pageName: '={{ $json.name ?? "Donation" }}', amount: '5' },
			{ name: null, email: null },
		],
		[{ pageName: '={{ $json.name || "Donation" }}' }, { name: '' }],
		[{ pageName: '=For {{ $json.day }}' }, { day: new Date(0) }],
		[
			{ pageName: '=For {{ $json.day }}', amount: '={{ $json.total }}' },
			{ day: '', total: 0 },
		],
	])('but a page is made where a field says something: %j', async (fields, row) => {
		expect(await outcomeOf([row], fields)).toHaveLength(1);
	});

	test('leaves the other rows alone with the error output', async () => {
		const { output, errorOutput } = await sandbox.run({
			rows: [blank, full],
			parameters: { pageName: '=Invoice {{ $json.name }}', amount: '={{ $json.total }}' },
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output.map(({ json }) => json.pageName)).toEqual(['Invoice Anna']);
		expect(errorOutput.map(({ json }) => json.error)).toEqual(['The row is empty']);
	});
});

describe('a reference or ID that is nothing but text around blanks is rejected', () => {
	const row = { name: 'A', no: '', none: null, flag: false, order: { no: ' ' } };
	const alone = / has only the text around its columns, which are empty: "/;

	test.each([
		'=INV-{{ $json.no }}',
		'={{ $json.no }}-{{ $json.none }}',
		'=INV-{{ $json.order.no }}',
		'=INV-{{ $("Rows").item.json.no }}',
		'=INV-{{ $json.flag }}',
		'={{ $now.year }}-{{ $json.no }}',
	])('%s', async (paymentPageLinkReference) => {
		const fields = { pageName: '={{ $json.name }}', paymentPageLinkReference };
		expect(await outcomeOf([row], fields)).toMatch(alone);
		expect(await outcomeOf([row], { ...automatic('create'), paymentPageLinkReference })).toMatch(
			/ has only the text around|The row is empty/,
		);
		const update = { operation: 'update', id: '41', updateFields: { amount: '5' } };
		expect(await outcomeOf([row], { ...update, paymentPageLinkReference })).toMatch(
			/ has only the text around|The row is empty/,
		);
		const question = { operation: 'validateReference', paymentPageLinkReference };
		expect(await outcomeOf([row], question)).toMatch(/ has only the text around|The row is empty/);
	});

	test.each<[string, string]>([
		['={{ $json.no }}', 'a'],
		['={{ $json.no ? "INV-" + $json.no : "" }}', 'a'],
		['={{ $if($json.no, "INV-" + $json.no, "open") }}', 'open'],
		['=INV-{{ $json.name }}-{{ $json.no }}', 'INV-A-'],
		['={{ $json.no }}{{ $itemIndex }}', '0'],
		['={{ $json.toJsonString().hash("md5").slice(0, 0) }}x', 'x'],
		['fixed', 'fixed'],
		['=fixed', 'fixed'],
	])('but not %s', async (paymentPageLinkReference, sent) => {
		const fields = { pageName: '={{ $json.name }}', paymentPageLinkReference };
		const expected = paymentPageLinkReference.endsWith('x')
			? expect.stringMatching(alone)
			: [expect.objectContaining({ paymentPageLinkReference: sent })];
		expect(await outcomeOf([row], fields)).toEqual(expected);
	});
});

describe('a method, a comment and a fallback are what they are', () => {
	test.each<[INodeParameters, object]>([
		[
			{ pageName: 'A', paymentPageLinkReference: '={{ $json.toJsonString().hash("md5") }}' },
			{ paymentPageLinkReference: expect.stringMatching(/^[0-9a-f]{32}$/) },
		],
		[{ pageName: '={{ $json.values()[0] }}' }, { pageName: '40' }],
		[
			{ pageName: 'A', amount: '={{ /* not yet: - $json.discount */ $json.total }}' },
			{ amount: 40 },
		],
		[{ pageName: 'A', amount: '={{ /* + tax */ $json.total }}' }, { amount: 40 }],
		[{ pageName: 'A', amount: '={{ $json.text.replace(/[+€]/g, "") }}' }, { amount: 12.5 }],
		[{ pageName: '={{ "Paid? " + $json.total }}' }, { pageName: 'Paid? 40' }],
	])('%j', async (fields, sent) => {
		const row = { total: 40, discount: '', text: '+12.5€' };
		expect(await outcomeOf([row], fields)).toMatchObject([sent]);
	});
});

describe('a cell that is missing', () => {
	const create = {
		pageName: '={{ $json.name }}',
		amount: '={{ $json.fields.total }}',
		paymentPageLinkReference: '={{ $json.ref }}',
	};
	const full = { name: 'A', ref: 'a', fields: { total: 5 } };

	test('in one row is a blank cell', async () => {
		const bodies = await outcomeOf([full, { name: 'B', fields: {} }], create);
		expect(bodies).toMatchObject([{ amount: 5 }, { paymentPageLinkReference: 'b' }]);
		expect((bodies as object[])[1]).not.toHaveProperty('amount');
	});

	test.each<[string, INodeParameters]>([
		['amount', { ...create, amount: '={{ $json.fields.totl }}' }],
		['amount', { ...create, amount: '={{ $json.fields.total.toUpper() }}' }],
		['paymentPageLinkReference', { ...create, paymentPageLinkReference: '={{ $json.reff }}' }],
		['paymentPageLinkReference', { ...create, paymentPageLinkReference: '=I-{{ $json.reff }}' }],
		['pageName', { ...create, pageName: '=Invoice {{ $json.nam }}' }],
		['id', { operation: 'update', id: '={{ $json.pageId }}', updateFields: { amount: '5' } }],
	])('in every row is a mistake in the workflow: %s of %j', async (field, fields) => {
		const expression = (fields as Record<string, string>)[field]?.slice(1) ?? '';
		const message = await outcomeOf([full, full, { name: 'B', ref: 'b' }], fields);
		expect(message).toContain(
			` has no value: "${expression}". Is the column spelled as in the input?`,
		);
		// It stays one, however often n8n tries.
		const { error } = await sandbox.run({
			rows: [full, full],
			parameters: fields,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error?.description).toContain('?? ""');
	});

	test('is blank on purpose with a fallback', async () => {
		const fields = { ...create, amount: '={{ $json.fields.totl ?? "" }}' };
		expect(await outcomeOf([full], fields)).toHaveLength(1);
	});

	test('is a mistake where it is missing in each row of a batch of n8n', async () => {
		const batching = { batch: { batchSize: 1, batchInterval: 1 } };
		const { error } = await sandbox.run({
			rows: [full, { name: 'B', ref: 'b', fields: {} }],
			parameters: { ...create, requestOptions: { batching } },
		});
		expect(error?.message).toContain('has no value: ');
		expect(sandbox.requests).toHaveLength(1);
	});

	test('counts once for each try of n8n, also after rows that are finished', async () => {
		sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [2] }] });
		const { output } = await sandbox.run({
			rows: [full, { name: 'B', fields: {} }],
			parameters: { ...create, options: { maxParallelRequests: 1 } },
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(output).toHaveLength(2);
	});
});

describe('an amount as text', () => {
	test.each([
		['49,90', '49.90'],
		['1.234,56', '1234.56'],
		['1,234.56', '1234.56'],
		['1 250,00', '1250.00'],
		['1\u00a0250,00', '1250.00'],
		['1\u202f250', '1250'],
		["1'250.00", '1250.00'],
		['1’250', '1250'],
		['1,00,000.50', '100000.50'],
		['12,34,567', '1234567'],
		['1.234.567', '1234567'],
		['0,125', '0.125'],
		['1234,567', '1234.567'],
		['٤٩٫٩٠', '49.90'],
		['१२३', '123'],
		['４９．９０', '49.90'],
		['+5', '5'],
	])('that can be read in one way is read: %s', async (amount, sent) => {
		await sandbox.run({ rows: [{ pageName: 'A', amount }], parameters: automatic('create') });
		expect(String(sandbox.requests[0]?.body)).toContain(`"amount":${sent},`);
	});

	test.each([
		['1.234', '1234 or 1.234', 'Write 1234 or 1.2340.'],
		['12,500', '12500 or 12.5', 'Write 12500 or 12.5.'],
		['١٬٢٣٤', undefined, undefined],
		['1.250', '1250 or 1.25', 'Write 1250 or 1.25.'],
	])('that can be read in two ways is rejected: %s', async (amount, ways, advice) => {
		const { error } = await sandbox.run({
			rows: [{ pageName: 'A', amount }],
			parameters: automatic('create'),
		});
		if (ways === undefined) {
			expect(String(sandbox.requests[0]?.body)).toContain('"amount":1234,');
			return;
		}
		expect(error?.message).toBe(`'Amount' (amount) is unclear: "${amount}" can mean ${ways}`);
		expect(error?.description).toContain(advice);
		expect(sandbox.requests).toEqual([]);
	});

	test.each([
		'€ 5',
		'5 €',
		'-5',
		'0105',
		'00',
		'1,2,3',
		'1.23.456',
		'5-',
		'1e3',
		'5.',
		'.5',
		'1..5',
		'1,234.567.8',
		'½',
	])('that is none is rejected: %s', async (amount) => {
		const { error } = await sandbox.run({
			rows: [{ pageName: 'A', amount }],
			parameters: automatic('create'),
		});
		expect(error?.message).toMatch(/^'Amount' \(amount\) must be a number such as 49\.90/);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('while Fixed Amount is on, as it is by default', () => {
	const open = [
		'={{ $json.cur === "EUR" ? $json.total * 1.19 : $json.total * 1.2 }}',
		'={{ $json.total * 1.19 - ($json.discount ?? 0) }}',
		'={{ $if($json.vip, $json.total * 0.9, $json.total) }}',
		'={{ $input.first().json.total * 1.19 }}',
		'={{ $json\n.total * 1.19 }}',
		'={{ Number($jmespath($json, "total")) }}',
		'={{ Number($json.total.replace(/,?$/, "")) }}',
		'={{ $json.total }}',
		'={{ $json.zero }}',
		'0',
		'',
		'0,00',
	];

	test.each(open)('no page is open: %j', async (amount) => {
		const rows = [{ total: '', zero: 0, discount: null }];
		const fields = { isFixedAmount: true, pageName: 'A', amount };
		expect(await outcomeOf(rows, fields)).toMatch(
			/^'Amount' is (empty|0), but 'Fixed Amount' is on$/,
		);
	});

	test('a blank switch is on', async () => {
		const fields = { isFixedAmount: '={{ $json.fixed }}', pageName: 'A', amount: '5' };
		expect(await outcomeOf([{}], fields)).toMatchObject([{ isFixedAmount: true, amount: 5 }]);
	});

	test.each([
		['={{ $json.total - $json.paid }}', 40],
		['={{ $json.total * (1 - $json.pct / 100) }}', 40],
		['={{ $json.total * 10 - ($json.none || 0) }}', 400],
		['={{ $json.total / 2 + $json.total / 4 }}', 30],
	])('a blank beside it is what JavaScript makes of it: %s', async (amount, sent) => {
		const rows = [{ total: 40, paid: null, pct: null }];
		const fields = { isFixedAmount: true, pageName: 'A', amount };
		expect(await outcomeOf(rows, fields)).toMatchObject([{ amount: sent }]);
	});

	test('off, the amount may be left out, and is sent as false', async () => {
		const [body] = (await outcomeOf([{}], { pageName: 'A' })) as object[];
		expect(body).toMatchObject({ isFixedAmount: false });
		expect(body).not.toHaveProperty('amount');
	});
});

describe('an amount whose expression adds', () => {
	const row = { net: '49', tax: '5', lines: [{ price: '10' }, { price: '5' }], n: 3, name: 'A' };

	test.each([
		'={{ $json.net + $json.tax }}',
		'={{ ($json.net ?? 0) + ($json.tax ?? 0) }}',
		'={{ Number($json.net) + $json.tax }}',
		'={{ $input.first().json.net + $input.first().json.tax }}',
		'={{ $("Rows").all()[0].json.net + $("Rows").all()[0].json.tax }}',
		'={{ $json.net + $json.tax }}.00',
		'={{ `${$json.net + $json.tax}` }}',
		'={{ $json.lines.reduce((sum, line) => sum + line.price, 0) }}',
	])('has to be a number: %s', async (amount) => {
		expect(await outcomeOf([row], { pageName: 'A', amount })).toMatch(
			/^'Amount' joins texts into "\d+" instead of adding numbers: "/,
		);
	});

	test.each([
		['={{ Number($json.net) + Number($json.tax) }}', 54],
		['={{ +$json.net }}', 49],
		['={{ $json.n + 5 }}', 8],
		['={{ $json.net }}.{{ $json.tax }}', 49.5],
		['={{ $json.net.replace("+", "") }}', 49],
		['={{ $("Rows").item.json.n * 2 }}', 6],
		['={{ $json.n }} ', 3],
	])('and is sent if it is: %s', async (amount, sent) => {
		expect(await outcomeOf([row], { pageName: 'A', amount })).toMatchObject([{ amount: sent }]);
	});

	test.each(['={{ $json.exact }} ', '= {{ $json.exact * 1 }}\n'])(
		'stays a number with blanks around the expression: %j',
		async (amount) => {
			expect(await outcomeOf([{ exact: 1.125 }], { pageName: 'A', amount })).toMatchObject([
				{ amount: 1.125 },
			]);
		},
	);
});

describe('what stands for nothing', () => {
	test('false in a text field is none, as in Odoo', async () => {
		const rows = [{ name: 'A', ref: false, note: false, mail: false }];
		const fields = {
			pageName: '={{ $json.name }}',
			paymentPageLinkReference: '={{ $json.ref }}',
			optionalFields: {
				description: '={{ $json.note }}',
				notificationEmail: '={{ $json.mail }}',
				isTestMode: '={{ $json.ref }}',
			},
		};
		const [body] = (await outcomeOf(rows, fields)) as object[];
		expect(body).toEqual({
			merchantId: 1002003004005006000,
			additionalFields: '[]',
			pageName: 'A',
			isFixedAmount: false,
			paymentPageLinkReference: 'a',
			isTestMode: false,
		});
	});

	test('false in a row that is otherwise blank makes it empty', async () => {
		const rows = [{ name: false, total: '' }];
		expect(await outcomeOf(rows, { pageName: '=Invoice {{ $json.name }}' })).toBe(
			'The row is empty',
		);
	});

	test.each([
		['="Invoice " + x', '={{ "Invoice " + $json.missing }}', 'undefined'],
		['template', '={{ `Invoice ${$json.none}` }}', 'null'],
		['NaN', '={{ "No. " + ($json.missing * 2) }}', 'NaN'],
	])('JavaScript’s word for it is not sent: %s', async (_name, pageName, word) => {
		expect(await outcomeOf([{ none: null }], { pageName, amount: '5' })).toContain(
			`'Page Name' contains "${word}", which stands for a missing value: `,
		);
		const fields = { pageName: 'A', paymentPageLinkReference: pageName };
		expect(await outcomeOf([{ none: null }], fields)).toContain(`'Reference' contains "${word}"`);
	});

	test.each(['Null', 'Annullierung', 'undefinedly', 'NULL', 'Nan'])(
		'a customer %s is none',
		async (name) => {
			const fields = { pageName: '=Invoice {{ $json.name }}' };
			expect(await outcomeOf([{ name }], fields)).toMatchObject([{ pageName: `Invoice ${name}` }]);
		},
	);

	test.each(['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NV', '#WERT!', '#¡REF!'])(
		'a formula without a result is rejected in every field and mode: %s',
		async (cell) => {
			const message = new RegExp(` is "${cell.replace(/[?/]/g, '\\$&')}", which a spreadsheet`);
			for (const fields of [
				{ pageName: '={{ $json.cell }}' },
				{ pageName: '=Invoice {{ $json.cell }}' },
				{ pageName: 'A', amount: '={{ $json.cell }}' },
				{ pageName: 'A', optionalFields: { description: '={{ $json.cell }}' } },
				{ pageName: 'A', optionalFields: { description: '=For {{ $json.cell }}' } },
			]) {
				expect(await outcomeOf([{ cell }], fields)).toMatch(message);
			}
			expect(await outcomeOf([{ pageName: cell, amount: 5 }], automatic('create'))).toMatch(
				message,
			);
		},
	);
});

describe('a list of one value', () => {
	test('is that value, and one of several is not', async () => {
		const rows = [{ name: ['A'], total: [49.9], no: ['INV-1'], test: [true] }];
		const fields = {
			pageName: '={{ $json.name }}',
			amount: '={{ $json.total }}',
			paymentPageLinkReference: '={{ $json.no }}',
			optionalFields: { isTestMode: '={{ $json.test }}', additionalFields: '={{ $json.no }}' },
		};
		expect(await outcomeOf(rows, fields)).toMatchObject([
			{
				pageName: 'A',
				amount: 49.9,
				paymentPageLinkReference: 'INV-1',
				isTestMode: true,
				additionalFields: '["INV-1"]',
			},
		]);
		sandbox.requests.length = 0;
		const row = { pageName: ['A'], amount: ['5'], isTestMode: ['yes'] };
		expect(await outcomeOf([row], automatic('create'))).toMatchObject([
			{ pageName: 'A', amount: 5, isTestMode: true },
		]);
		sandbox.requests.length = 0;
		expect(await outcomeOf([{ pageName: ['A', 'B'] }], automatic('create'))).toMatch(
			/^'Page Name' \(pageName\) must be text/,
		);
	});
});

// An evaluation is by far the dearest thing that happens to an item, so none is made needlessly. Two
// are made by n8n for each expression and each property with the name of the parameter.
describe('evaluations of expressions for one item', () => {
	const columns = {
		pageName: '={{ $json.pageName }}',
		amount: '={{ $json.amount }}',
		optionalFields: { description: '={{ $json.description }}' },
	};
	const row = {
		pageName: 'A',
		amount: 5,
		description: 'Line',
		paymentPageLinkReference: 'a',
	};

	test.each([
		['mapped automatically', automatic('create'), 0],
		['fixed values', { pageName: 'A', amount: '5' }, 0],
		['three columns', columns, 6],
		[
			'three columns, one of them in a text',
			{ ...columns, pageName: '=No. {{ $json.amount }}' },
			6,
		],
		['a reference', { pageName: 'A', paymentPageLinkReference: '={{ $json.pageName }}' }, 2],
	])('%s', async (_name, parameters, expected) => {
		const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		await sandbox.run({ rows: [row], parameters });
		const evaluated = evaluate.mock.calls.filter(([value]) => String(value).startsWith('='));
		evaluate.mockRestore();
		expect(sandbox.requests).toHaveLength(1);
		expect(evaluated).toHaveLength(expected);
	});
});
