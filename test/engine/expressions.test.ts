import { Expression, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { automatic, operations, told, triesAgain, useSandbox } from './sandbox';

/**
 * "Map Each Field Below", with expressions as people write them. The model of a list asks far more of
 * them; here is an example of each kind, and what the model leaves out.
 */
const sandbox = useSandbox();

const rejected = (words: string | RegExp): unknown =>
	expect.stringMatching(words instanceof RegExp ? words : new RegExp(words)) as unknown;

/** What a run of these rows ends with: the bodies sent, or why nothing was sent. */
async function outcomeOf(fields: INodeParameters, ...rows: IDataObject[]): Promise<unknown> {
	const { error } = await sandbox.run({ rows, parameters: { pageName: 'A', ...fields } });
	return error !== undefined && sandbox.requests.length === 0 ? error.message : sandbox.bodies;
}

const name = (pageName: unknown) => ({ pageName }) as IDataObject & INodeParameters;
const ref = (text: unknown) =>
	({ paymentPageLinkReference: text }) as IDataObject & INodeParameters;
const amount = (value: unknown) => ({ amount: value }) as IDataObject & INodeParameters;
const more = (optionalFields: INodeParameters) => ({ optionalFields });

type Case = [fields: INodeParameters, row: IDataObject, sent: object | null];

/** Each row makes one page with these values; null where it has to be rejected with these words. */
function testCases(words: string | RegExp, cases: Case[]): void {
	test.each(cases)('%j of %j: %j', async (fields, row, sent) => {
		const expected = sent === null ? rejected(words) : [expect.objectContaining(sent)];
		expect(await outcomeOf(fields, row)).toEqual(expected);
	});
}

describe('a field is what n8n makes of it', () => {
	const row = { title: 'A title', 'A column': 'B title', list: ['D title'], price: 1.125 };

	testCases('', [
		[name('={{ $json["A column"] }}'), row, name('B title')],
		[name('={{ $json.title.toUpperCase() }}!'), row, name('A TITLE!')],
		[name('Before {{ $json.title }}'), row, name('Before {{ $json.title }}')],
		[amount('={{ $json.price }} '), row, amount(1.125)],
		[amount('= {{ $json.price * 1 }}\n'), row, amount(1.125)],
		[more({ description: '={{ $json.title }}' }), row, { description: 'A title' }],
		[more({ businessName: '={{ $json.title + "!" }}' }), row, { businessName: 'A title!' }],
		[more({ isTestMode: '={{ $json.price > 20 }}' }), row, { isTestMode: false }],
		[more({ additionalFields: '={{ $json.list }}' }), row, { additionalFields: '["D title"]' }],
	]);

	test.each([null, '={{ $json }}', { description: '={{ $json.none }}' }])(
		'and without one it is left out: %j',
		async (optionalFields) => {
			const fields = { optionalFields } as INodeParameters;
			const [body] = (await outcomeOf(fields, { description: 'x' })) as object[];
			expect(body).not.toHaveProperty('description');
		},
	);

	test('and an expression that n8n rejects is rejected', async () => {
		const { error } = await sandbox.run({ parameters: name('={{ $json.valueOf }}') });
		expect(error?.message).toBe('this is a function, please add ()');
	});
});

describe('a column may have a name of any language and sign', () => {
	const names = ['número', '番号', 'מספר', "Customer's No", "N° d'ordre"];

	test.each(names)('%s', async (name) => {
		const path = /^[\p{L}]+$/u.test(name) ? `.${name}` : `['${name.replace(/'/g, "\\'")}']`;
		const value = `{{ $json${path} }}`;
		const create = { pageName: `=No. ${value}`, paymentPageLinkReference: `=${value}` };
		const update = { operation: 'update', id: `=${value}`, updateFields: amount('5') };
		const validate = { ...operations.validate, paymentPageLinkReference: `=${value}` };
		for (const parameters of [create, update, validate]) {
			await sandbox.run({ rows: [{ [name]: 17 }], parameters });
		}
		expect(sandbox.bodies).toMatchObject([
			{ pageName: 'No. 17', paymentPageLinkReference: '17' },
			{ id: 17 },
		]);
		expect(sandbox.requests[2]?.url).toMatch(/\/17$/);
		sandbox.requests.length = 0;
		expect(await outcomeOf({ pageName: `=No. ${value}` }, { [name]: '' })).toBe('The row is empty');
	});
});

describe('a blank row becomes no page, whatever else its fields take', () => {
	const blank = { name: '', no: null, total: '', flag: false, row_number: 29 };
	const invoice = { pageName: '=Invoice {{ $json.name }}', amount: '={{ $json.total }}' };
	const reference = (text: string) => ({ ...invoice, ...ref(text) });

	testCases('^The row is empty$', [
		[invoice, blank, null],
		[reference('={{ $now.toFormat("yyyy") }}-{{ $json.no }}'), blank, null],
		[reference('={{ $vars.PREFIX }}-{{ $json.no }}'), blank, null],
		[name('={{ $json.name }} – {{ $("Rows").first().json.row_number }}'), blank, null],
		[name('=Invoice {{ $json\n.name }}'), blank, null],
		[name('=Invoice {{ $json.flag }}'), blank, null],
		[{ pageName: '=Membership {{ $json.name }}', amount: '50' }, blank, null],
		[{ pageName: 'Donation', amount: '5' }, blank, name('Donation')],
		[name('={{ $json.no ?? "Donation" }}'), blank, name('Donation')],
		[name('=For {{ $json.day }}'), { day: new Date(0) as never }, {}],
		[invoice, { name: '', total: 0 }, amount(0)],
	]);
});

describe('a reference or ID that is nothing but text around blanks is rejected', () => {
	const row = { name: 'A', no: '', none: null, flag: false, order: { no: ' ' } };
	const alone = / has only the text around its columns, which are empty: "|^The row is empty$/;
	const reference = (text: string) => ({ ...name('={{ $json.name }}'), ...ref(text) });

	test.each([
		'=INV-{{ $json.no }}',
		'=INV-{{ $json.order.no }}',
		'=INV-{{ $json.flag }}',
		'={{ $now.year }}-{{ $json.no }}',
		'={{ $json.toJsonString().hash("md5").slice(0, 0) }}x',
	])('%s', async (paymentPageLinkReference) => {
		for (const parameters of [
			name('={{ $json.name }}'),
			automatic('create'),
			{ operation: 'update', id: '41', updateFields: amount('5') },
			operations.validate,
		]) {
			const fields = { ...parameters, paymentPageLinkReference };
			expect(await outcomeOf(fields as INodeParameters, row)).toMatch(alone);
		}
		const update = { operation: 'update', updateFields: amount('5') };
		expect(await outcomeOf({ ...update, id: paymentPageLinkReference }, row)).toMatch(alone);
	});

	testCases('', [
		[reference('={{ $json.no }}'), row, ref('a')],
		[reference('={{ $if($json.no, "INV-" + $json.no, "open") }}'), row, ref('open')],
		[reference('=INV-{{ $json.name }}-{{ $json.no }}'), row, ref('INV-A-')],
		[reference('={{ $json.no }}{{ $itemIndex }}'), row, ref('0')],
		[reference('=fixed'), row, ref('fixed')],
	]);
});

describe('a method, a comment and a fallback are what they are', () => {
	const row = { total: 40, discount: '', text: '+12.5€' };
	const hash = expect.stringMatching(/^[0-9a-f]{32}$/) as unknown;

	testCases('', [
		[ref('={{ $json.toJsonString().hash("md5") }}'), row, ref(hash)],
		[name('={{ $json.values()[0] }}'), row, name('40')],
		[amount('={{ /* not yet: - $json.discount */ $json.total }}'), row, amount(40)],
		[amount('={{ /* + tax */ $json.total }}'), row, amount(40)],
		[amount('={{ $json.text.replace(/[+€]/g, "") }}'), row, amount(12.5)],
		[name('={{ "Paid? " + $json.total }}'), row, name('Paid? 40')],
	]);
});

describe('a cell that is missing', () => {
	const create = {
		pageName: '={{ $json.name }}',
		amount: '={{ $json.fields.total }}',
		paymentPageLinkReference: '={{ $json.ref }}',
	};
	const full = { name: 'A', ref: 'a', fields: { total: 5 } };
	const other = { name: 'B', fields: {} };

	test('in one row is a blank cell', async () => {
		const bodies = await outcomeOf(create, full, other);
		expect(bodies).toMatchObject([amount(5), ref('b')]);
		expect((bodies as object[])[1]).not.toHaveProperty('amount');
	});

	test.each<[string, INodeParameters]>([
		['amount', { ...create, amount: '={{ $json.fields.totl }}' }],
		['paymentPageLinkReference', { ...create, paymentPageLinkReference: '=I-{{ $json.reff }}' }],
		['pageName', { ...create, pageName: '=Invoice {{ $json.nam }}' }],
		['id', { operation: 'update', id: '={{ $json.pageId }}', updateFields: amount('5') }],
	])('in every row is a mistake in the workflow: %s of %j', async (field, parameters) => {
		const expression = String(parameters[field]).slice(1);
		// It stays one, however often n8n tries.
		const settings = { ...triesAgain, maxTries: 2 };
		const outcome = await sandbox.run({ rows: [full, full], parameters, settings });
		expect(told(outcome)).toContain(
			` has no value: "${expression}". Is the column spelled as in the input? If it may be missing, end the expression with ?? "", as`,
		);
		expect(sandbox.requests).toEqual([]);
	});

	test('is a mistake where it is missing in each row of a batch of n8n', async () => {
		const batching = { batch: { batchSize: 1, batchInterval: 1 } };
		const parameters = { ...create, requestOptions: { batching } };
		const { error } = await sandbox.run({ rows: [full, other], parameters });
		expect(error?.message).toContain('has no value: ');
		expect(sandbox.requests).toHaveLength(1);
	});

	test('counts once for each try of n8n, also after rows that are finished', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode', nth: [2] });
		const parameters = { ...create, options: { maxParallelRequests: 1 } };
		const settings = triesAgain;
		const { output } = await sandbox.run({ rows: [full, other], parameters, settings });
		expect(output).toHaveLength(2);
	});
});

describe('while Fixed Amount is on, as it is by default, no page is open', () => {
	const fixed = (amount: string) => ({ amount, isFixedAmount: true });
	const blank = { total: '', zero: 0, discount: null };
	const row = { total: 40, paid: null };

	testCases(/^'Amount' is (empty|0), but 'Fixed Amount' is on$/, [
		[fixed('={{ $json.cur === "EUR" ? $json.total * 1.19 : $json.total * 1.2 }}'), blank, null],
		[fixed('={{ Number($jmespath($json, "total")) }}'), blank, null],
		[fixed('0,00'), blank, null],
		[fixed(''), blank, null],
		// A blank beside the amount is what JavaScript makes of it.
		[fixed('={{ $json.total - $json.paid }}'), row, amount(40)],
		[{ amount: '5', isFixedAmount: '={{ $json.none }}' }, row, { amount: 5, isFixedAmount: true }],
	]);

	test('but with it off, the amount may be left out', async () => {
		const [body] = (await outcomeOf({}, {})) as object[];
		expect(body).toMatchObject({ isFixedAmount: false });
		expect(body).not.toHaveProperty('amount');
	});
});

describe('an amount whose expression adds has to be a number', () => {
	const row = { net: '49', tax: '5', lines: [{ price: '10' }, { price: '5' }], n: 3 };
	const tax = '$("Rows").all()[0].json.tax';

	testCases(/^'Amount' joins texts into "\d+" instead of adding numbers: "/, [
		[amount('={{ $json.net + $json.tax }}'), row, null],
		[amount('={{ ($json.net ?? 0) + ($json.tax ?? 0) }}'), row, null],
		[amount(`={{ $input.first().json.net + ${tax} }}`), row, null],
		[amount('={{ $json.net + $json.tax }}.00'), row, null],
		[amount('={{ $json.lines.reduce((sum, line) => sum + line.price, 0) }}'), row, null],
		[amount('={{ Number($json.net) + Number($json.tax) }}'), row, amount(54)],
		[amount('={{ +$json.net }}'), row, amount(49)],
		[amount('={{ $json.net }}.{{ $json.tax }}'), row, amount(49.5)],
		[amount('={{ $json.net.replace("+", "") }}'), row, amount(49)],
	]);
});

describe('what stands for nothing', () => {
	test('is false in a text, as in Odoo', async () => {
		const optionalFields = {
			description: '={{ $json.none }}',
			notificationEmail: '={{ $json.none }}',
			isTestMode: '={{ $json.none }}',
		};
		const reference = ref('={{ $json.none }}');
		const fields = { pageName: '={{ $json.name }}', ...reference, optionalFields };
		expect(await outcomeOf(fields, { name: 'A', none: false })).toEqual([
			{
				merchantId: 1002003004005006000,
				additionalFields: '[]',
				pageName: 'A',
				isFixedAmount: false,
				paymentPageLinkReference: 'a',
				isTestMode: false,
			},
		]);
	});

	const field = / contains "(undefined|null|NaN)", which stands for a missing value: "/;

	testCases(field, [
		[{ pageName: '={{ "Invoice " + $json.missing }}', amount: '5' }, {}, null],
		[{ pageName: '={{ `Invoice ${$json.none}` }}', amount: '5' }, { none: null }, null],
		[ref('={{ "No. " + ($json.missing * 2) }}'), {}, null],
		...['Null', 'Annullierung', 'undefinedly', 'NULL', 'Nan'].map(
			(own): Case => [name('=Invoice {{ $json.own }}'), { own }, name(`Invoice ${own}`)],
		),
	]);

	const cell = '={{ $json.cell }}';

	testCases(/ is " ?#[^"]+", which a spreadsheet writes for a formula without a result$/, [
		...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NV', '#WERT!', '#¡REF!'].map(
			(error): Case => [name(cell), { cell: error }, null],
		),
		[name('=Invoice {{ $json.cell }}'), { cell: ' #N/A ' }, null],
		[amount(cell), { cell: '#REF!' }, null],
		[ref(`${cell}-1`), { cell: ['#REF!'] }, null],
		[more({ description: cell }), { cell: '#REF!' }, null],
		[more({ description: '=For {{ $json.cell }}' }), { cell: '#REF!' }, null],
		[automatic('create'), { pageName: '#REF!', amount: 5 }, null],
	]);
});

describe('a list of one value is that value', () => {
	const row = { name: ['A'], total: [49.9], no: ['INV-1'], test: [true], several: ['A', 'B'] };
	const value = (column: string) => `={{ $json.${column} }}`;

	testCases(/^'Page Name'( \(pageName\))? must be text/, [
		[
			{
				pageName: value('name'),
				amount: value('total'),
				paymentPageLinkReference: value('no'),
				optionalFields: { isTestMode: value('test'), additionalFields: value('no') },
			},
			row,
			{
				pageName: 'A',
				amount: 49.9,
				paymentPageLinkReference: 'INV-1',
				isTestMode: true,
				additionalFields: '["INV-1"]',
			},
		],
		[automatic('create'), { pageName: ['A'], isTestMode: ['yes'] }, { isTestMode: true }],
		[name(value('several')), row, null],
		[automatic('create'), { pageName: ['A', 'B'] }, null],
	]);
});

// An evaluation is by far the greatest part of what an item costs, so none is made needlessly. n8n
// makes two for each expression and each property with the name of the parameter.
describe('evaluations of expressions for one item', () => {
	const columns = {
		pageName: '={{ $json.pageName }}',
		amount: '={{ $json.amount }}',
		optionalFields: { description: '={{ $json.description }}' },
	};

	test.each<[string, INodeParameters, number]>([
		['mapped automatically', automatic('create'), 0],
		['fixed values', { pageName: 'A', amount: '5' }, 0],
		['three columns', columns, 6],
		['a column in a text', { ...columns, pageName: '=No. {{ $json.amount }}' }, 6],
		['a reference', { pageName: 'A', paymentPageLinkReference: '={{ $json.pageName }}' }, 2],
	])('%s', async (_name, parameters, expected) => {
		const row = { pageName: 'A', amount: 5, description: 'Line', paymentPageLinkReference: 'a' };
		const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		await sandbox.run({ rows: [row], parameters });
		const evaluated = evaluate.mock.calls.filter(([value]) => String(value).startsWith('='));
		evaluate.mockRestore();
		expect(sandbox.requests).toHaveLength(1);
		expect(evaluated).toHaveLength(expected);
	});
});
