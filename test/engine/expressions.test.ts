import { Expression, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { automatic, inTurn, operations, triesAgain, useSandbox } from './sandbox';

/**
 * "Map Each Field Below", with expressions as people write them. The model of a list asks far more of
 * them; here is an example of each kind, and what the model leaves out.
 */
const sandbox = useSandbox();

type Fields = IDataObject & INodeParameters;

/** What a run of this row ends with: the bodies sent, or why nothing was sent. */
async function outcomeOf(fields: INodeParameters, row: IDataObject): Promise<unknown> {
	const { error } = await sandbox.run({ rows: [row], parameters: { pageName: 'A', ...fields } });
	return error !== undefined && sandbox.requests.length === 0 ? error.message : sandbox.bodies;
}

const name = (pageName: unknown) => ({ pageName }) as Fields;
const ref = (text: unknown) => ({ paymentPageLinkReference: text }) as Fields;
const amount = (value: unknown) => ({ amount: value }) as Fields;
const more = (optionalFields: INodeParameters) => ({ optionalFields });
const named = (reference: string) => ({ ...name('={{ $json.name }}'), ...ref(reference) });

const row = { title: 'A title', 'A column': 'B title', list: ['D title'], price: 1.125 };
const blank = { name: '', no: null, total: '', flag: false, row_number: 29 };
const order = { name: 'A', no: '', none: null, flag: false, order: { no: ' ' } };
const net = { net: '49', tax: '5', lines: [{ price: '10' }, { price: '5' }] };
const lists = { name: ['A'], total: [49.9], no: ['INV-1'], test: [true], several: ['A', 'B'] };
const ofLists = {
	...{ ...named('={{ $json.no }}'), amount: '={{ $json.total }}' },
	optionalFields: { isTestMode: '={{ $json.test }}', additionalFields: '={{ $json.no }}' },
};
const sentOfLists = { ...name('A'), ...amount(49.9), ...ref('INV-1'), isTestMode: true };
const invoice = { pageName: '=Invoice {{ $json.name }}', amount: '={{ $json.total }}' };
const first = name('={{ $json.name }} – {{ $("Rows").first().json.row_number }}');

const isEmpty = /^The row is empty$/;
const isJoined = /^'Amount' joins texts into "\d+" instead of adding numbers: "/;
const isWord = / contains "(undefined|null|NaN)", which stands for a missing value: "/;
const isFormula = / is " ?#[^"]+", which a spreadsheet writes for a formula without a result$/;

type Case = [fields: INodeParameters, row: IDataObject, sent: object | RegExp];

/** Each row makes one page with these values, or is rejected with these words. */
test.each<Case>([
	// A field is what n8n makes of it.
	[name('={{ $json["A column"] }}'), row, name('B title')],
	[name('={{ $json.title.toUpperCase() }}!'), row, name('A TITLE!')],
	[name('Before {{ $json.title }}'), row, name('Before {{ $json.title }}')],
	[amount('={{ $json.price }} '), row, amount(1.125)],
	[amount('= {{ $json.price * 1 }}\n'), row, amount(1.125)],
	[more({ description: '={{ $json.title }}' }), row, { description: 'A title' }],
	[more({ businessName: '={{ $json.title + "!" }}' }), row, { businessName: 'A title!' }],
	[more({ isTestMode: '={{ $json.price > 20 }}' }), row, { isTestMode: false }],
	[more({ additionalFields: '={{ $json.list }}' }), row, { additionalFields: '["D title"]' }],
	[{ amount: '5', isFixedAmount: '={{ $json.none }}' }, row, { isFixedAmount: true }],
	[ref('={{ $json["a\\"b"] }}'), { 'a"b': 'c' }, ref('c')],
	[ref("={{ $json['N° d\\'ordre'] }}"), { "N° d'ordre": 17 }, ref('17')],
	[ref('={{ $json.מספר }}'), { מספר: 17 }, ref('17')],
	[name('={{ $json.valueOf }}'), row, /^this is a function, please add \(\)$/],
	// A blank row becomes no page, whatever else its fields take.
	[{ ...invoice, ...ref('={{ $vars.PREFIX }}-{{ $json.no }}') }, blank, isEmpty],
	[first, blank, isEmpty],
	[name('=Invoice {{ $json\n.name }}'), blank, isEmpty],
	[name('=Invoice {{ $json.flag }}'), blank, isEmpty],
	[{ pageName: '=Membership {{ $json.name }}', amount: '50' }, blank, isEmpty],
	[{ pageName: 'Donation', amount: '5' }, blank, name('Donation')],
	[name('={{ $json.no ?? "Donation" }}'), blank, name('Donation')],
	[name('=For {{ $json.day }}'), { day: new Date(0) as never }, {}],
	[invoice, { name: '', total: 0 }, amount(0)],
	// A reference is more than text around a blank.
	[named('={{ $json.no }}'), order, ref('a')],
	[named('={{ $if($json.no, "INV-" + $json.no, "open") }}'), order, ref('open')],
	[named('=INV-{{ $json.name }}-{{ $json.no }}'), order, ref('INV-A-')],
	[named('={{ $json.no }}{{ $itemIndex }}'), order, ref('0')],
	[named('=fixed'), order, ref('fixed')],
	// An amount whose expression adds has to be a number.
	[amount('={{ $json.net + $("Rows").all()[0].json.tax }}'), net, isJoined],
	[amount('={{ $json.net + $json.tax }}.00'), net, isJoined],
	[amount('={{ $json.lines.reduce((sum, line) => sum + line.price, 0) }}'), net, isJoined],
	[amount('={{ Number($json.net) + Number($json.tax) }}'), net, amount(54)],
	[amount('={{ +$json.net }}'), net, amount(49)],
	[amount('={{ $json.net }}.{{ $json.tax }}'), net, amount(49.5)],
	// A plus in quotation marks, a pattern or a comment adds nothing.
	[amount('={{ $json.net.replace("+", "") }}'), net, amount(49)],
	[amount('={{ $json.net.replace(/[+€]/g, "") }}'), net, amount(49)],
	[amount('={{ /* + tax */ $json.net.trim() }}'), net, amount(49)],
	// What stands for nothing is a word in a text, but for a word of the cell itself.
	[{ pageName: '={{ "Invoice " + $json.missing }}', amount: '5' }, {}, isWord],
	[{ pageName: '={{ `Invoice ${$json.none}` }}', amount: '5' }, { none: null }, isWord],
	[ref('={{ "No. " + ($json.missing * 2) }}'), {}, isWord],
	...['Null', 'Annullierung', 'undefinedly', 'NULL', 'Nan'].map(
		(own): Case => [name('=Invoice {{ $json.own }}'), { own }, name(`Invoice ${own}`)],
	),
	// It is an error in a spreadsheet.
	...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NV', '#WERT!', '#¡REF!', ' #N/A '].map(
		(error): Case => [name('={{ $json.cell }}'), { cell: error }, isFormula],
	),
	[ref('={{ $json.cell }}-1'), { cell: ['#REF!'] }, isFormula],
	[automatic('create'), { pageName: '#REF!', amount: 5 }, isFormula],
	// A list of one value is that value.
	[ofLists, lists, { ...sentOfLists, additionalFields: '["INV-1"]' }],
	[automatic('create'), { pageName: ['A'], isTestMode: ['yes'] }, { isTestMode: true }],
	[name('={{ $json.several }}'), lists, /^'Page Name' must be text/],
	[automatic('create'), { pageName: ['A', 'B'] }, /^'Page Name' \(pageName\) must be text/],
])('%j of %j: %s', async (fields, item, sent) => {
	const isRejected = sent instanceof RegExp;
	expect(await outcomeOf(fields, item)).toEqual(
		isRejected ? expect.stringMatching(sent) : [expect.objectContaining(sent)],
	);
});

test.each([null, '={{ $json }}', { description: '={{ $json.none }}' }])(
	'an optional field without a value is left out: %j',
	async (optionalFields) => {
		const bodies = (await outcomeOf({ optionalFields } as Fields, {
			description: 'x',
		})) as object[];
		expect(bodies).toHaveLength(1);
		expect(bodies[0]).not.toHaveProperty('description');
	},
);

const update = { operation: 'update', updateFields: amount('5') };

test.each([
	'=INV-{{ $json.no }}',
	'=4{{ $json.no }}',
	'=-{{ $json.order.no }}',
	'={{ $now.year }}-{{ $json.flag }}',
])('a reference or ID that is nothing but text around blanks is rejected: %s', async (text) => {
	const alone = / has only the text around its columns, which are empty: "|^The row is empty$/;
	const ofPages = [named(''), automatic('create'), { ...update, id: '41' }, operations.validate];
	const ofReference = ofPages.map((fields) => ({ ...fields, ...ref(text) }) as Fields);
	for (const fields of [
		...ofReference,
		{ ...update, id: text, updateFields: name('={{ $json.name }}') },
	]) {
		expect(await outcomeOf(fields, order)).toMatch(alone);
	}
});

describe('a cell that is missing', () => {
	const create = { ...named('={{ $json.ref }}'), amount: '={{ $json.fields.total }}' };
	const full = { name: 'A', ref: 'a', fields: { total: 5 } };

	test.each<[string, INodeParameters]>([
		['amount', { ...create, amount: '={{ $json.fields.totl }}' }],
		['paymentPageLinkReference', { ...create, ...ref('=I-{{ $json.reff }}') }],
		['pageName', { ...create, pageName: '=Invoice {{ $json.nam }}' }],
		['id', { ...update, id: '={{ $json.pageId }}' }],
	])('in every row is a mistake in the workflow: %s of %j', async (field, parameters) => {
		// It stays one, however often n8n tries.
		const settings = { ...triesAgain, maxTries: 2 };
		const { told } = await sandbox.run({ rows: [full, full], parameters, settings });
		const shown = String(parameters[field]).slice(1);
		expect(told).toContain(
			` has no value: "${shown}". Is the column spelled as in the input? If it may be missing, end the expression with ?? "", as`,
		);
		expect(sandbox.requests).toEqual([]);
	});

	test('counts once for each try of n8n, also after rows that are finished', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode', nth: [2] });
		const parameters = { ...create, options: inTurn.options };
		const rows = [full, { name: 'B', fields: {} }];
		const { output } = await sandbox.run({ rows, parameters, settings: triesAgain });
		expect(output).toHaveLength(2);
		expect(sandbox.bodies[1]).not.toHaveProperty('amount');
	});
});

// An evaluation is by far the greatest part of what an item costs, so none is made needlessly. n8n
// makes two for each expression and each property with the name of the parameter.
const columns = {
	pageName: '={{ $json.pageName }}',
	amount: '={{ $json.amount }}',
	optionalFields: { description: '={{ $json.description }}' },
};

test.each<[string, INodeParameters, number]>([
	['a row that is mapped automatically', automatic('create'), 0],
	['fixed values', { pageName: 'A', amount: '5' }, 0],
	['three columns', columns, 6],
	['a column in a text', { ...columns, pageName: '=No. {{ $json.amount }}' }, 6],
	['a reference', { pageName: 'A', paymentPageLinkReference: '={{ $json.pageName }}' }, 2],
])('%s: so many evaluations', async (_what, parameters, expected) => {
	const values = { pageName: 'A', amount: 5, description: 'Line', paymentPageLinkReference: 'a' };
	const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	await sandbox.run({ rows: [values], parameters });
	const evaluated = evaluate.mock.calls.filter(([value]) => String(value).startsWith('='));
	evaluate.mockRestore();
	expect(sandbox.requests).toHaveLength(1);
	expect(evaluated).toHaveLength(expected);
});
