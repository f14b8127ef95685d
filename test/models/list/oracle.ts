import { isDeepStrictEqual } from 'node:util';
import { flagOf, isBlank, textOf, unlisted, type Reading } from './expressions';
import { readRow, type RowReading } from './mappings';
import { isQuiet, type List } from './service';
import { meaningOf, type Table } from './tables';

/**
 * What each row of a list means, by the rules of the node's documentation and by how the list was
 * made up. It shares no code with the node.
 */

/** A value that is not judged. */
export const anything = Symbol('anything');

type Wanted = string | boolean | typeof anything;

/** The fields of a page as they have to be on the wire; an amount as its shortest decimal digits. */
export interface Page {
	fields: Record<string, Wanted>;
	reference?: Wanted; // as somebody typed it; undefined when it comes from the name
	/** Made of the name: all of it, or what stands before a fingerprint. */
	derived?: { slug: string; isExact: boolean };
	key: string; // equal for pages that may meet at one reference
}

/** What has to come of a row; `either` where the rules leave it open. */
type Outcome = 'page' | 'skipped' | 'sentence' | 'either';

export interface Verdict {
	outcome: Outcome;
	page: Page;
	because: string; // for people who read a counterexample
}

/** All other fields are text. */
const noTexts = ['amount', 'isTestMode'];

const isFalse = (value: unknown) => unlisted(value) === false;
const isNothing = (value: unknown) => isBlank(value) || isFalse(value);

function saysNothing({ value, hasText, parts, itemParts }: Reading): boolean {
	if (isNothing(value)) return true;
	if (!hasText || parts.length === 0) return false;
	return parts.every(isNothing) || (itemParts.length > 0 && itemParts.every(isNothing));
}

/** The amount on the wire; '' for none, undefined when it can't be one. */
function amountOf(table: Table, { value, adds }: Reading, isFixed: boolean): string | undefined {
	const only = unlisted(value);
	if (isBlank(only)) return isFixed ? undefined : '';
	if (adds && typeof only === 'string') return undefined;
	const means = typeof only === 'number' ? digitsOf(only) : meaningOf(table, textOf(only));
	return means === '0' && isFixed ? undefined : means;
}

/** A double is exact to 15 digits. */
function digitsOf(amount: number): string | undefined {
	const isAmount = Number.isFinite(amount) && amount >= 0;
	return isAmount ? String(Number(amount.toPrecision(15))) : undefined;
}

const isSpreadsheetError = (value: unknown) => ['#N/A', '#REF!'].includes(textOf(value));

/** Words that an expression made of nothing; no cell of a table holds them in this spelling. */
const madeOfNothing = /(?<![\p{L}\p{N}])(undefined|null|NaN)(?![\p{L}\p{N}])/u;

/** Beside something else, a `false` may be left out or not. */
const hasFalse = ({ parts, value }: Reading) =>
	!isFalse(value) && (parts.some(isFalse) || /\bfalse\b/.test(textOf(value)));

export const folded = (reference: string) =>
	reference.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function pageOf({ fields, isFixedAmount }: RowReading, amount = ''): Page {
	const page: Page = { fields: { isFixedAmount, ...(amount !== '' && { amount }) }, key: '?' };
	const { paymentPageLinkReference: reference, ...others } = fields;
	for (const [name, reading] of Object.entries(others)) {
		const { value } = reading;
		if (name === 'amount') continue;
		if (name === 'isTestMode' && !isBlank(value)) page.fields[name] = flagOf(value);
		if (noTexts.includes(name) || isNothing(value)) continue;
		const isOpen = hasFalse(reading) || saysNothing(reading);
		page.fields[name] = isOpen ? anything : textOf(value);
	}
	if (!isNothing(reference.value)) {
		page.reference = hasFalse(reference) ? anything : textOf(reference.value);
		if (page.reference !== anything) page.key = folded(page.reference);
	} else if (!isNothing(fields.pageName.value)) {
		const name = textOf(fields.pageName.value).toLowerCase();
		const letters = folded(name).replaceAll('ß', 'ss');
		const isExact = /^[\sa-z0-9&?–./-]*$/.test(letters);
		const slug = letters.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
		page.derived = { slug, isExact };
		page.key = isExact ? slug : `~${name}`;
	}
	return page;
}

const identifying = ['pageName', 'amount', 'paymentPageLinkReference'] as const;

/** By the row alone, and by what is missing in all that were started together. */
function judgeRow(row: RowReading, together: RowReading[], list: List): Verdict {
	const { fields, isFixedAmount, wrongColumns } = row;
	const { pageName, paymentPageLinkReference: reference, amount } = fields;
	const labels = [pageName, reference];
	const texts = Object.entries(fields).filter(([name]) => !noTexts.includes(name));
	const wanted = amountOf(list.table, amount, isFixedAmount);
	const page = pageOf(row, wanted);
	const isDerived = page.reference === undefined;

	const isErrorCell = ({ value, parts }: Reading) => [value, ...parts].some(isSpreadsheetError);
	const givesNothing = ({ value, parts }: Reading) => parts.length > 0 && value === undefined;
	const isOfMissing = ({ parts }: Reading) => parts.includes(undefined);
	const isInEach = (name: (typeof identifying)[number], is: (reading: Reading) => boolean) =>
		together.every(({ fields: { [name]: reading } }) => is(reading));
	const isPartMissing =
		isInEach('pageName', isOfMissing) || isInEach('paymentPageLinkReference', isOfMissing);
	const joined = labels.filter(({ hasText }) => hasText);
	const named = labels.filter(({ itemParts }) => itemParts.length > 0);
	const isEmpty = named.length > 0 && named.every(saysNothing);
	const isOfNothing = ({ value, parts }: Reading) =>
		parts.length > 0 && !isNothing(value) && madeOfNothing.test(textOf(value));

	const rules: Array<[outcome: Outcome, because: string, applies: boolean]> = [
		['sentence', wrongColumns.join(', '), wrongColumns.length > 0],
		['sentence', 'an error cell', Object.values(fields).some(isErrorCell)],
		['sentence', 'nothing in any row', identifying.some((name) => isInEach(name, givesNothing))],
		['either', 'a part missing in any row', isPartMissing && joined.some(isOfMissing)],
		['sentence', 'an empty row', isEmpty && (amount.itemParts.length === 0 || saysNothing(amount))],
		['sentence', 'a reference of text alone', saysNothing(reference) && reference.hasText],
		['sentence', 'a word made of nothing', labels.some(isOfNothing)],
		['sentence', 'no amount that could be meant', wanted === undefined],
		['sentence', 'neither name nor reference', isDerived && page.derived === undefined],
		['sentence', 'no reference for Skip', isDerived && list.settings.ifReferenceExists === 'skip'],
		['either', 'a name of text alone', isDerived && saysNothing(pageName)],
		['either', 'false within a text', texts.some(([, text]) => hasFalse(text))],
		['page', 'a row like any other', true],
	];
	const [outcome, because] = rules.find(([, , applies]) => applies) ?? ['either', ''];
	return { outcome, page, because };
}

/** What becomes of a row beside one before it that goes by the same reference. */
function beside(first: Verdict, own: Verdict, { settings: chosen, service }: List): Outcome {
	const choice = chosen.ifReferenceExists;
	const isExact = first.page.reference === own.page.reference;
	if (first.page.reference === undefined || own.page.reference === undefined) return 'either';
	if (!isExact && !service.foldsReferences) return choice === 'create' ? 'page' : 'either';
	if (choice === 'create') return service.duplicateReferences === 'allow' ? 'page' : 'either';
	const isOpen = [first, own].some(({ page }) => Object.values(page.fields).includes(anything));
	// The first may have failed at the service.
	if (first.outcome !== 'page' || isOpen || !isQuiet(service)) return 'either';
	if (choice === 'error') return 'sentence';
	if (isDeepStrictEqual(first.page.fields, own.page.fields)) return isExact ? 'skipped' : 'either';
	return 'sentence';
}

/** What has to come of each row when the service does what it is asked for. */
export function judge(list: List): Verdict[] {
	const { table, mapping, service } = list;
	const { batchSize, ifReferenceExists } = list.settings;
	const fields = table.rows.map((_row, row) => readRow(table, row, mapping));
	const size = batchSize || fields.length;
	const nearOf = <Each>(all: Each[], row: number): Each[] => {
		const start = row - (row % size);
		return all.slice(start, start + size);
	};
	const verdicts = fields.map((own, row) => judgeRow(own, nearOf(fields, row), list));
	return verdicts.map((own, row) => {
		if (own.outcome === 'sentence') return own;
		const twins = verdicts.filter((other) => other !== own && other.page.key === own.page.key);
		const either: Verdict = { ...own, outcome: 'either', because: 'beside a twin' };
		if (own.page.reference === undefined) {
			const sharing = nearOf(verdicts, row).filter(
				(other) => twins.includes(other) && other.page.reference === undefined,
			);
			if (sharing.some(({ outcome }) => outcome === 'page'))
				return { ...own, outcome: 'sentence', because: 'a derived reference that two rows share' };
			if (sharing.length > 0 || !own.page.derived?.isExact) return twins.length > 0 ? either : own;
		}
		const before = verdicts.slice(0, row).filter((other) => twins.includes(other));
		// Of which of several rows the others are twins is open where one of them is rejected.
		const first = before.find(({ outcome }) => outcome !== 'page') ?? before[0];
		if (first === undefined) {
			// Who of several comes first is open where nobody asks, and where one may fail at the service.
			const asks = ifReferenceExists !== 'create';
			const isOpen = asks ? !isQuiet(service) : service.duplicateReferences === 'reject';
			return isOpen && twins.length > 0 ? either : own;
		}
		const outcome = beside(first, own, list);
		if (own.outcome === 'either' && outcome === 'page') return own;
		return { ...own, outcome, because: `${own.because}, beside ${first.because}` };
	});
}
