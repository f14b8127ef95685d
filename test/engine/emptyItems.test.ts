import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

/** The last rows of a sheet, and items that say nothing: none becomes a page. */
const sandbox = useSandbox();

const fromColumns: INodeParameters = {
	pageName: '={{ $json.title }} ({{ $json["Customer name"] }})',
	amount: '={{ $json.total }}',
	paymentPageLinkReference: '={{ $json.number }}',
	optionalFields: {
		isPhoneNumberRequired: '={{ !$json.phone }}',
		successMessage: '=Thank you, {{ $json["Customer name"] }}.',
		isTestMode: '={{ $json.test }}',
	},
};

const blankRow = { title: '', 'Customer name': null, total: ' ', number: '\u00a0', phone: '' };

async function expectEmpty(row: IDataObject, parameters: INodeParameters): Promise<void> {
	const good = { title: 'A', 'Customer name': 'B', total: 5, number: 'r', no: '1', pageName: 'A' };
	const { error } = await sandbox.run({ rows: [{ ...good, amount: 5 }, row], parameters });
	expect(error?.message).toMatch(/^The item is empty/);
	expect(error).toMatchObject({ context: { itemIndex: 1 } });
	expect(error?.description).toContain('Remove empty rows with a Filter node before this node.');
	expect(sandbox.requests).toEqual([]);
}

describe('refused before anything is sent, when the columns of the page are blank:', () => {
	test.each<[string, IDataObject]>([
		['a blank row', blankRow],
		['an item without columns', {}],
		['a row that n8n has numbered', { ...blankRow, row_number: 29 }],
		['a row of a data table', { ...blankRow, id: 29, createdAt: '2026-01-02T00:00:00.000Z' }],
		['a row with a checkbox', { ...blankRow, test: false }],
		['a row with empty lists', { title: [], 'Customer name': {}, total: '', number: [''] }],
	])('%s', async (_name, row) => {
		await expectEmpty(row, fromColumns);
	});

	test.each<[string, INodeParameters]>([
		['a name joined from columns', { pageName: '={{ $json.title + " " + $json.number }}' }],
		['a name in other brackets', { pageName: "=No. {{ $json['number'] }}" }],
		['the date in a name', { pageName: '=No. {{ $json.number }} of {{ $now.year }}' }],
		['a column that may be missing', { pageName: '=No. {{ $json?.number }}' }],
		['a column of a column', { pageName: '=No. {{ $json.title.short }}' }],
		['the item of the input', { pageName: '=No. {{ $input.item.json.number }}' }],
		[
			'a reference with text around it',
			{ pageName: 'A', paymentPageLinkReference: '=inv-{{ $json.number }}' },
		],
		['an amount alone, of a blank row', { pageName: 'Deposit', amount: '={{ $json.total }}' }],
		['an update', { operation: 'update', paymentPageLinkReference: '=inv-{{ $json.number }}' }],
		[
			'a question',
			{ operation: 'validateReference', paymentPageLinkReference: '=inv-{{ $json.number }}' },
		],
		['automatic mapping', automatic('create')],
	])('with %s', async (_name, parameters) => {
		await expectEmpty(blankRow, parameters);
	});

	test('with automatic mapping, also when other columns have values', async () => {
		await expectEmpty({ pageName: ' ', amount: null, row_number: 7 }, automatic('create'));
		await expectEmpty({}, automatic('create'));
	});
});

test('a name of blank columns of another node is refused, too', async () => {
	const fromRows = { pageName: '={{ $("Rows").item.json.a }} ({{ $("Rows").item.json.b }})' };
	const { error } = await sandbox.run({ rows: [{ a: '', b: null, x: 1 }], parameters: fromRows });
	expect(error?.message).toBe('The item is empty');
	expect(sandbox.requests).toEqual([]);
	await sandbox.run({ rows: [{ a: '', b: 'B' }], parameters: fromRows });
	await sandbox.run({ rows: [{ a: '' }], parameters: { ...fromRows, amount: '5' } });
	expect(sandbox.requests).toHaveLength(2);
});

describe('a key of fixed text around blank columns is refused by name, beside a full row:', () => {
	const row = {
		title: 'A',
		total: 5,
		pageName: 'A',
		no: '',
		none: null,
		order: { no: ' ', of: 'A' },
	};
	const reference =
		/^Payment Page Link Reference( \(paymentPageLinkReference\))? has only fixed text/;
	const id = /^Page ID \(id\) has only fixed text/;
	const create = { pageName: '={{ $json.title }}', amount: '={{ $json.total }}' };
	const byId = { operation: 'update', id: '41', updateFields: { amount: '={{ $json.total }}' } };

	test.each<[RegExp, string, INodeParameters]>([
		...[
			'=INV-{{ $json.no }}',
			'={{ $json.no }}-{{ $json.none }}',
			'=INV-{{ $json.order.no }}',
			'=INV-{{ $("Rows").item.json.no }}',
			'={{ "INV-" + $json.no }}',
			'={{ `INV-${$json.no}` }}',
		].flatMap(
			(paymentPageLinkReference): Array<[RegExp, string, INodeParameters]> => [
				[reference, paymentPageLinkReference, { ...create, paymentPageLinkReference }],
				[reference, paymentPageLinkReference, { ...byId, paymentPageLinkReference }],
				[reference, paymentPageLinkReference, { ...automatic('create'), paymentPageLinkReference }],
			],
		),
		[id, '=1{{ $json.no }}', { ...byId, id: '=1{{ $json.no }}', paymentPageLinkReference: 'a' }],
		[
			reference,
			'a question',
			{ operation: 'validateReference', paymentPageLinkReference: '=INV-{{ $json.order.no }}' },
		],
	])('%s %s', async (message, _name, parameters) => {
		const { error } = await sandbox.run({ rows: [row], parameters });
		expect(error?.message).toMatch(message);
		expect(sandbox.requests).toEqual([]);
	});

	test.each<[string, string]>([
		['={{ $json.no }}', 'a'],
		['={{ $json.no ? "INV-" + $json.no : "" }}', 'a'],
		['={{ $if($json.no, "INV-" + $json.no, "open") }}', 'open'],
		['=INV-{{ $json.title }}-{{ $json.no }}', 'INV-A-'],
		['={{ $json.no }}{{ $itemIndex }}', '0'],
		['={{ $json.no + "row-" + $itemIndex }}', 'row-0'],
		['=INV-{{ $json.total }}', 'INV-5'],
		['fixed', 'fixed'],
		['=fixed', 'fixed'],
	])('but not %s', async (paymentPageLinkReference, sent) => {
		const parameters = { ...create, paymentPageLinkReference };
		const { error } = await sandbox.run({ rows: [row], parameters });
		expect(error).toBeUndefined();
		expect(String(sandbox.requests[0]?.body)).toContain(`"paymentPageLinkReference":"${sent}"`);
	});
});

describe('a page all the same, of an item that holds nothing:', () => {
	test.each<[string, IDataObject, INodeParameters]>([
		['fixed values', {}, { pageName: 'Donation', amount: '5' }],
		[
			'a fixed reference',
			{ title: '' },
			{ pageName: '={{ $json.title }}', paymentPageLinkReference: 'a' },
		],
		['an amount that is left open', { total: '' }, { pageName: 'A', amount: '={{ $json.total }}' }],
		['no column', {}, { pageName: '=Donation {{ $now.year }}', amount: '={{ 1 + 1 }}' }],
		['another node', {}, { pageName: '={{ $("Rows").item.json.x ?? "A" }} {{ $json.title }}' }],
		[
			'a fixed reference, of a row',
			{ title: '', total: null },
			{ pageName: '={{ $json.title }}', paymentPageLinkReference: 'a' },
		],
		[
			'another node, of a row',
			{ title: '', total: null },
			{ pageName: '={{ $("Rows").item.json.x ?? "A" }} {{ $json.title }}' },
		],
		[
			'a reference of the execution',
			{ title: '', prefix: null },
			{
				pageName: '={{ $json.title }}',
				paymentPageLinkReference: '={{ $json.prefix }}{{ $itemIndex }}',
			},
		],
		['a value for a blank column', {}, { pageName: '={{ $json.title || "Donation" }}' }],
	])('with %s', async (_name, row, parameters) => {
		const { output } = await sandbox.run({ rows: [row], parameters });
		expect(output).toHaveLength(1);
		expect(sandbox.requests).toHaveLength(1);
	});

	test('but a date or a zero is not nothing', async () => {
		const parameters = { pageName: '=For {{ $json.day }}', amount: '={{ $json.total }}' };
		const rows = [
			{ day: new Date(0), total: '' },
			{ day: '', total: 0 },
		] as never;
		const { output } = await sandbox.run({ rows, parameters });
		expect(output).toHaveLength(2);
	});
});

test('leaves the other rows alone with the error output', async () => {
	const row = { title: 'A', 'Customer name': 'B', total: 5, number: 'a', phone: '1', test: true };
	const { output, errorOutput } = await sandbox.run({
		rows: [blankRow, row],
		parameters: fromColumns,
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output.map(({ json }) => json.pageName)).toEqual(['A (B)']);
	expect(errorOutput[0]?.json.error).toMatch(/^The item is empty: it has no value for title, /);
});
