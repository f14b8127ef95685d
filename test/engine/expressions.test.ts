import { Expression, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { automatic, inTurn, operations, triesAgain, useSandbox } from './sandbox';

/**
 * "Map Each Field Below", with expressions as people write them: what the model of a list leaves out,
 * and an example of each of its rules.
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
const named = (reference: string) => ({ ...name('={{ $json.name }}'), ...ref(reference) });

const blank = { name: '', no: null, total: '', row_number: 29 };
const order = { name: 'A', no: '', flag: false, order: { no: ' ' } };
const net = { net: '49', tax: '5' };
const lists = { name: ['A'], total: [49.9], no: ['INV-1'], test: [true], several: ['A', 'B'] };
const ofLists = {
	...{ ...named('={{ $json.no }}'), amount: '={{ $json.total }}' },
	optionalFields: { isTestMode: '={{ $json.test }}', additionalFields: '={{ $json.no }}' },
};
const sentOfLists = { ...name('A'), ...amount(49.9), ...ref('INV-1'), isTestMode: true };
const invoice = { pageName: '=Invoice {{ $json.name }}', amount: '={{ $json.total }}' };

const isJoined = /^'Amount' joins texts into "\d+" instead of adding numbers: "/;
const isWord = / contains "NaN", which stands for a missing value: "/;
const isFormula = / is " ?#[^"]+", which a spreadsheet writes for a formula without a result$/;

type Case = [fields: INodeParameters, row: IDataObject, sent: object | RegExp];

/** Each row makes one page with these values, or is rejected with these words. */
test.each<Case>([
	// A field is what n8n makes of it.
	[name('Before {{ $json.title }}'), {}, name('Before {{ $json.title }}')],
	[{ optionalFields: { isTestMode: '={{ 1 > 2 }}' } }, {}, { isTestMode: false }],
	[{ amount: '5', isFixedAmount: '={{ $json.none }}' }, {}, { isFixedAmount: true }],
	[ref('={{ $json["a\\"b"] }}'), { 'a"b': 'c' }, ref('c')],
	[name('={{ $json.valueOf }}'), {}, /^this is a function, please add \(\)$/],
	// A blank row becomes no page, whatever else its fields take; a date is a value.
	[{ ...invoice, ...ref('={{ $vars.PREFIX }}-{{ $json.no }}') }, blank, /^The row is empty$/],
	[name('=For {{ $json.day }}'), { day: new Date(0) as never }, {}],
	// A reference is more than text around a blank.
	[named('=INV-{{ $json.name }}-{{ $json.no }}'), order, ref('INV-A-')],
	[named('={{ $json.no }}{{ $itemIndex }}'), order, ref('0')],
	[named('=fixed'), order, ref('fixed')],
	[ref('=INV-{{ $json.no }} '), { no: 7 }, ref('INV-7')],
	[name('={{ $json.name }}{{ $json.flag }}{{ $json.middle }}'), order, name('A')],
	// An amount whose expression adds has to be a number.
	[amount('={{ $json.net + $json.tax }}.00'), net, isJoined],
	[amount('={{ $json.net + $json.tax }}'), { net: 49, tax: 5 }, amount(54)],
	[amount('={{ $json.net }}.{{ $json.tax }}'), net, amount(49.5)],
	[amount('=EUR {{ $json.no }}'), order, { isFixedAmount: false }],
	// A plus in quotation marks or a pattern adds nothing.
	[amount('={{ $json.net.replace("+", "") }}'), net, amount(49)],
	[amount('={{ $json.net.replace(/[+€]/g, "") }}'), net, amount(49)],
	// What stands for nothing is a word in a text, but for a word of the cell itself.
	...[ref, name].map((of): Case => [of('={{ "No. " + ($json.missing * 2) }}'), {}, isWord]),
	...['undefinedly', 'NULL', 'Nan'].map(
		(own): Case => [name('=Invoice {{ $json.own }}'), { own }, name(`Invoice ${own}`)],
	),
	// It is an error in a spreadsheet.
	...['#VALUE!', '#DIV/0!', '#NAME?', '#NV', '#WERT!', '#¡REF!', ' #N/A '].map(
		(error): Case => [name('={{ $json.cell }}'), { cell: error }, isFormula],
	),
	// A list of one value is that value.
	[ofLists, lists, { ...sentOfLists, additionalFields: '["INV-1"]' }],
	[name('={{ $json.several }}'), lists, /^'Page Name' must be text/],
])('%j of %j: %s', async (fields, item, sent) => {
	const isRejected = sent instanceof RegExp;
	expect(await outcomeOf(fields, item)).toEqual(
		isRejected ? expect.stringMatching(sent) : [expect.objectContaining(sent)],
	);
});

test.each<unknown>([null, '={{ $json }}', { description: '={{ $json.none }}' }])(
	'an optional field without a value is left out: %j',
	async (optionalFields) => {
		const sent = await outcomeOf({ optionalFields } as Fields, { description: 'x' });
		const description: unknown = expect.anything();
		expect(sent).toEqual([expect.not.objectContaining({ description })]);
	},
);

const update = { operation: 'update', updateFields: amount('5') };

test.each<INodeParameters>([
	{ ...named(''), ...ref('=-{{ $json.order.no }}') },
	{ ...automatic('create'), ...ref('=INV-{{ $json.no }}') },
	{ ...update, id: '41', ...ref('=INV-{{ $json.no }}') },
	{ ...update, id: '=4{{ $json.no }}', updateFields: name('={{ $json.name }}') },
	{ ...operations.validate, ...ref('={{ $now.year }}-{{ $json.flag }}') },
])('a reference or ID that is nothing but text around blanks is rejected: %j', async (fields) => {
	const alone = / has only the text around its columns, which are empty: "|^The row is empty$/;
	expect(await outcomeOf(fields as Fields, order)).toMatch(alone);
});

describe('a cell that is missing', () => {
	const create = { ...named('={{ $json.ref }}'), amount: '={{ $json.fields.total }}' };
	const full = { name: 'A', ref: 'a', fields: { total: 5 } };

	test.each<[string, INodeParameters]>([
		['{{ $json.fields.totl }}', { ...create, amount: '={{ $json.fields.totl }}' }],
		['I-{{ $json.reff }}', { ...create, ...ref('=I-{{ $json.reff }}') }],
		['{{ $json.pageId }}', { ...update, id: '={{ $json.pageId }}' }],
	])('in every row is a mistake in the workflow, however often n8n tries: %s', async (...given) => {
		const [shown, parameters] = given;
		const settings = { ...triesAgain, maxTries: 2 };
		const { told } = await sandbox.run({ rows: [full, full], parameters, settings });
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
	['three columns', columns, 6],
	['a column in a text', { ...columns, pageName: '=No. {{ $json.amount }}' }, 6],
])('%s: so many evaluations', async (_what, parameters, expected) => {
	const values = { pageName: 'A', amount: 5, description: 'Line', paymentPageLinkReference: 'a' };
	const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	await sandbox.run({ rows: [values], parameters });
	const evaluated = evaluate.mock.calls.filter(([value]) => String(value).startsWith('='));
	evaluate.mockRestore();
	expect(sandbox.requests).toHaveLength(1);
	expect(evaluated).toHaveLength(expected);
});
