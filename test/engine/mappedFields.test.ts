import { Expression } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

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
		['={{ $json.yes }}', 'true'],
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
				pageName: expression,
				optionalFields: { description: expression },
			};
			const body = await bodyOf({ nothing: null }, fields);
			expect(Object.keys(body as Row)).not.toContain('pageName');
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

describe('an amount, a merchant or a key whose expression gives nothing', () => {
	const row = { name: 'A', pageName: 'A', price: '12.5', quantity: 3, nothing: null, empty: '' };
	const referenceLabel = 'Payment Page Link Reference (paymentPageLinkReference)';

	test.each([
		'={{ $json.missing }}',
		'={{$json["Total "]}}',
		'={{ $json.missing.deep }}',
		'={{ $json.quantity.replace(",", ".") }}',
		'={{ JSON.parse("x") }}',
		'={{ nonsense }}',
		'={{ undefined }}',
		'={{ $json.missing }} ',
		'= {{ $json.missing }}\n',
		'=1{{ $json.missing }}',
		'={{ $json.quantity }}{{ $json.missing }}',
	])('is refused by name: %j', async (expression) => {
		for (const [label, fields] of [
			['Amount (amount)', { pageName: 'A', amount: expression }],
			['Merchant ID (merchantId)', { pageName: 'A', optionalFields: { merchantId: expression } }],
			['Amount (amount)', { operation: 'update', id: '1', updateFields: { amount: expression } }],
			[referenceLabel, { pageName: '={{ $json.name }}', paymentPageLinkReference: expression }],
			[referenceLabel, { ...automatic('create'), paymentPageLinkReference: expression }],
			[referenceLabel, { operation: 'update', id: '1', paymentPageLinkReference: expression }],
			['Page ID (id)', { operation: 'update', id: expression, paymentPageLinkReference: 'a' }],
		] as const) {
			const { error } = await sandbox.run({ rows: [row], parameters: fields });
			expect(error?.message).toBe(
				`${label} has an expression that returns nothing: "${expression.slice(1)}"`,
			);
			expect(error?.description).toContain('{{ $json.total ?? "" }}');
			expect(sandbox.requests).toEqual([]);
		}
	});

	test.each([
		'={{ $json.missing * 1.19 }}',
		'={{ $json.name * 2 }}',
		'={{ $json }}',
		'={{ $json.quantity > 2 }}',
		'={{ $json.missing }} EUR',
	])('is refused by name when it gives no number: %s', async (amount) => {
		const { error } = await sandbox.run({ rows: [row], parameters: { pageName: 'A', amount } });
		expect(error?.message).toMatch(/^Amount \(amount\) (must be a number|has an expression that)/);
		expect(sandbox.requests).toEqual([]);
	});

	test.each([
		'',
		' ',
		'={{ $json.nothing }}',
		'={{ $json.empty }}',
		'={{ null }}',
		'={{ $json.missing ?? "" }}',
		'={{ $json.empty }} ',
		'={{ $json.empty }}{{ $json.nothing }}',
	])('is none on purpose: %j', async (expression) => {
		const optionalFields = { merchantId: expression };
		const body = await bodyOf(row, { pageName: 'A', amount: expression, optionalFields });
		expect(body).not.toHaveProperty('amount');
		expect(body).toMatchObject({ merchantId: 1002003004005006007 });
	});

	test.each(['={{ $json.nothing }}', '={{ $json.empty }}', '={{ $json.missing ?? "" }}'])(
		'a reference may be none on purpose: %s',
		async (paymentPageLinkReference) => {
			const body = await bodyOf(row, { pageName: '={{ $json.name }}', paymentPageLinkReference });
			expect(body).toMatchObject({ paymentPageLinkReference: 'a' });
		},
	);

	test.each([
		'={{ Number($json.empty) }}',
		'={{ $json.nothing * 1.19 }}',
		'={{ ($json.quantity * $json.empty).toFixed(2) }}',
	])('is not the 0 that JavaScript makes of a blank: %s', async (amount) => {
		const { error } = await sandbox.run({ rows: [row], parameters: { pageName: 'A', amount } });
		expect(error?.message).toMatch(
			/^Amount \(amount\) is 0 because the column "(empty|nothing)" is empty: /,
		);
		expect(sandbox.requests).toEqual([]);
	});

	const order = { total: ' ', price: '5', zero: 0, lines: [{ price: '', count: 2 }], none: [] };

	test.each([
		['={{ Number($json.order.total) }}', 'order.total'],
		['={{ $json["order"]["total"] * 1.19 }}', 'order.total'],
		['={{ Number($json.order?.total.trim()) }}', 'order.total'],
		[
			'={{ $json.order.lines.reduce((sum, line) => sum + line.price * line.count, 0) }}',
			'order.lines',
		],
		['={{ $json.order.none.reduce((sum, line) => sum + line.price, 0) }}', 'order.none'],
		['={{ Number($("Rows").item.json.empty) }}', '$("Rows").item.json.empty'],
		['={{ $("Rows").item.json.order.total * 1 }}', '$("Rows").item.json.order.total'],
		['={{ Number($node["Rows"].json.empty) }}', '$node["Rows"].json.empty'],
	])('is not the 0 of a blank further away: %s', async (amount, column) => {
		const rows = [{ ...row, order }] as never;
		const { error } = await sandbox.run({ rows, parameters: { pageName: 'A', amount } });
		expect(error?.message).toContain(
			`Amount (amount) is 0 because the column "${column}" is empty: `,
		);
		expect(sandbox.requests).toEqual([]);
	});

	test.each([
		'={{ $json.empty * 1.19 + $json.quantity }}',
		'={{ $json.quantity - $json.nothing }}',
		'={{ Number($json.quantity) + Number($json["empty"]) }}',
		'={{ $json.order.price * 1.19 + $json.order.total * 1 }}',
		'={{ $json.quantity + 1 * $("Rows").item.json.empty }}',
	])('is not the rest of a sum with a blank: %s', async (amount) => {
		const rows = [{ ...row, order }] as never;
		const { error } = await sandbox.run({ rows, parameters: { pageName: 'A', amount } });
		expect(error?.message).toMatch(
			/^Amount \(amount\) is calculated with the column ".*", which is/,
		);
		expect(error?.description).toContain('define what an empty one means');
		expect(sandbox.requests).toEqual([]);
	});

	test.each([
		'={{ $json.price + $json.five }}',
		'={{ $json["price"] + 5 }}',
		'={{ ($json.five + $json.quantity) }}',
		'={{ $json.order.price + $json.five }}',
		'={{ $json.five + $("Rows").item.json.five }}',
	])('is not made of joined texts: %s', async (amount) => {
		const rows = [{ ...row, order, five: '5' }] as never;
		const { error } = await sandbox.run({ rows, parameters: { pageName: 'A', amount } });
		expect(error?.message).toMatch(/^Amount \(amount\) joins text into "[\d.]+" instead of adding/);
		expect(sandbox.requests).toEqual([]);
	});

	test.each([
		['={{ Number($json.price) + Number($json.five) }}', 17.5],
		['={{ (+$json.price + +$json.five).toFixed(2) }}', 17.5],
		['={{ $json.quantity + 5 }}', 8],
		['={{ $json.five + "." + $json.quantity }}', 5.3],
		['={{ $json.five }}.{{ $json.quantity }}', 5.3],
		['={{ $json.quantity * 10 - ($json.empty || 0) }}', 30],
		['={{ $if($json.empty, $json.empty * 2, $json.quantity - 1) }}', 2],
		['={{ [$json.empty, $json.quantity].find((price) => price) }}', 3],
		['={{ $json.price.replace(/[^0-9.-]/g, "") }}', 12.5],
		['={{ $("Rows").item.json.quantity * 2 }}', 6],
		['={{ $json["to-pay"] }}', 7],
	])('is what the expression gives: %s', async (amount, sent) => {
		const rows = { ...row, order, five: '5', 'to-pay': 7 };
		expect(await bodyOf(rows, { pageName: 'A', amount })).toMatchObject({ amount: sent });
	});

	test.each([
		'={{ $json.zero * 1.19 }}',
		'={{ $json.empty || 0 }}',
		'={{ 0 }}',
		'0',
		'={{ $json.order.zero * 1.19 }}',
		'={{ Number($("Rows").item.json.zero) }}',
		'={{ $json.zero.toFixed(2) }}',
	])('may be a deliberate 0: %s', async (amount) => {
		expect(await bodyOf({ ...row, zero: 0, order }, { pageName: 'A', amount })).toMatchObject({
			amount: 0,
		});
	});

	test.each([
		'={{ $json.exact }} ',
		'= {{ $json.exact * 1 }}\n',
		'={{ $("Rows").item.json.exact }} ',
	])('stays a number with blanks around the expression: %j', async (amount) => {
		const item = { ...row, exact: 1.125 };
		expect(await bodyOf(item, { pageName: 'A', amount })).toMatchObject({ amount: 1.125 });
	});

	test('is a number when the expression gives one', async () => {
		const amount = '={{ $json.quantity * 49.9 * 1.19 }}';
		expect(await bodyOf(row, { pageName: 'A', amount })).toMatchObject({ amount: 178.143 });
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
			7,
		],
		['a reference', { paymentPageLinkReference: '={{ $json.pageName }}' }, 4],
	])('%s', async (_name, parameters, expected) => {
		const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		await sandbox.run({ rows: [row], parameters });
		const evaluated = evaluate.mock.calls.filter(([value]) => String(value).startsWith('='));
		evaluate.mockRestore();
		expect(sandbox.requests).toHaveLength(1);
		expect(evaluated).toHaveLength(expected);
	});
});
