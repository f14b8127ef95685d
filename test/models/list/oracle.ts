import { isDeepStrictEqual } from 'node:util';

import { columnsOf, valuesFor, type Automatic } from './columns';
import { read, unlisted, type Below, type Reading } from './mappings';
import { isQuiet, type Service, type Settings } from './service';
import { meaningOf, type Table } from './tables';

/**
 * What each row of a list means, by the rules of the node's documentation and by how the list was
 * made up. It shares no code with the node.
 */

export interface List {
	table: Table;
	mapping: Below | Automatic;
	settings: Settings;
	service: Service;
}

/** A value that is not judged. */
export const anything = Symbol('anything');

type Wanted = string | boolean | typeof anything;

/** The fields of a page as they have to be on the wire; an amount as its shortest decimal digits. */
export interface Page {
	fields: Record<string, Wanted>;
	/** As somebody typed it; undefined when it comes from the name. */
	reference?: Wanted;
	/** Made of the name: all of it, or what stands before a fingerprint. */
	derived?: { slug: string; isExact: boolean };
	/** Equal for pages that may meet at one reference. */
	key: string;
}

/** What has to come of a row; `either` where the rules leave it open. */
type Outcome = 'page' | 'skipped' | 'sentence' | 'either';

export interface Verdict {
	outcome: Outcome;
	page: Page;
	/** For people who read a counterexample. */
	because: string;
}

interface Fields {
	pageName: Reading;
	reference: Reading;
	amount: Reading;
	/** Those that need no rule of their own: text and switches. */
	others: Record<string, Reading>;
	isFixedAmount: boolean;
	/** Rejected for what columns it has. */
	wrongColumns?: string;
}

const switches = ['isTestMode', 'isFixedAmount'];
const ownMerchant = '1002003004005006007';

function isBlank(value: unknown): boolean {
	const only = unlisted(value);
	return only === null || only === undefined || (typeof only === 'string' && only.trim() === '');
}

const isFalse = (value: unknown) => unlisted(value) === false;
const isNothing = (value: unknown) => isBlank(value) || isFalse(value);
const textOf = (value: unknown) => String(unlisted(value)).trim();
const flagOf = (value: unknown) => ['true', 'yes', 'on'].includes(textOf(value).toLowerCase());

function saysNothing({ value, hasText, parts, itemParts }: Reading): boolean {
	if (isNothing(value)) return true;
	if (!hasText || parts.length === 0) return false;
	return parts.every(isNothing) || (itemParts.length > 0 && itemParts.every(isNothing));
}

function fixed(value: unknown): Reading {
	return { value, parts: [], itemParts: [], hasText: false, adds: false };
}

function readBelow(table: Table, row: number, mapping: Below): Fields {
	const others: Record<string, Reading> = {};
	const { description, isTestMode, isFixedAmount } = mapping;
	if (description !== null) others.description = read(table, row, description);
	if (Array.isArray(isTestMode)) others.isTestMode = read(table, row, isTestMode);
	else if (isTestMode !== null) others.isTestMode = fixed(isTestMode);
	return {
		pageName: read(table, row, mapping.pageName),
		reference: read(table, row, mapping.reference),
		amount: read(table, row, mapping.amount),
		others,
		isFixedAmount,
	};
}

function readColumns(table: Table, row: number, mapping: Automatic): Fields {
	const columns = columnsOf(table, row, mapping);
	const wrong: string[] = [];
	const readFor = (field: string): Reading => {
		const values = valuesFor(field, columns);
		if (values.length > 1) wrong.push(`two columns for ${field}`);
		return { ...fixed(values[0]), itemParts: values.slice(0, 1) };
	};
	const { value: merchant } = readFor('merchantId');
	if (!isBlank(merchant) && textOf(merchant) !== ownMerchant) wrong.push('another merchant');
	const { value: flag } = readFor('isFixedAmount');
	const names = ['isTestMode', 'description', 'notificationEmail', 'callBackUrl', 'successMessage'];
	return {
		pageName: readFor('pageName'),
		reference: readFor('paymentPageLinkReference'),
		amount: readFor('amount'),
		others: Object.fromEntries(names.map((name) => [name, readFor(name)])),
		isFixedAmount: isBlank(flag) ? mapping.isFixedAmount : flagOf(flag),
		...(wrong.length > 0 && { wrongColumns: wrong.join(', ') }),
	};
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

function pageOf({ pageName, reference, others, isFixedAmount }: Fields, amount = ''): Page {
	const page: Page = { fields: { isFixedAmount }, key: '?' };
	const setText = (name: string, reading: Reading) => {
		const isOpen = hasFalse(reading) || saysNothing(reading);
		if (!isNothing(reading.value)) page.fields[name] = isOpen ? anything : textOf(reading.value);
	};
	setText('pageName', pageName);
	if (amount !== '') page.fields.amount = amount;
	for (const [name, reading] of Object.entries(others)) {
		if (!switches.includes(name)) setText(name, reading);
		else if (!isBlank(reading.value)) page.fields[name] = flagOf(reading.value);
	}
	if (!isNothing(reference.value)) {
		page.reference = hasFalse(reference) ? anything : textOf(reference.value);
		if (page.reference !== anything) page.key = folded(page.reference);
	} else if (!isNothing(pageName.value)) {
		const name = textOf(pageName.value);
		const letters = folded(name).replaceAll('ß', 'ss');
		const isExact = /^[\sa-z0-9&?–./-]*$/.test(letters);
		const slug = letters.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
		page.derived = { slug, isExact };
		page.key = isExact ? slug : `~${name.toLowerCase()}`;
	}
	return page;
}

/** By the row alone, and by what is missing in all that were started together. */
function judgeRow(fields: Fields, together: Fields[], { table, settings }: List): Verdict {
	const { pageName, reference, amount, others, isFixedAmount, wrongColumns } = fields;
	const wanted = amountOf(table, amount, isFixedAmount);
	const page = pageOf(fields, wanted);
	const sentence = (because: string): Verdict => ({ outcome: 'sentence', page, because });
	const either = (because: string): Verdict => ({ outcome: 'either', page, because });
	const labels = [pageName, reference];

	if (wrongColumns !== undefined) return sentence(wrongColumns);
	for (const { value, parts } of [...labels, amount, ...Object.values(others)]) {
		if ([value, ...parts].some(isSpreadsheetError)) return sentence('an error cell');
	}
	const givesNothing = ({ value, parts }: Reading) => parts.length > 0 && value === undefined;
	for (const name of ['pageName', 'reference', 'amount'] as const) {
		if (together.every(({ [name]: each }) => givesNothing(each)))
			return sentence(`${name} gives nothing in any row`);
	}
	const isOfMissing = ({ parts }: Reading) => parts.includes(undefined);
	const isMissing = (['pageName', 'reference'] as const).some((name) =>
		together.every(({ [name]: each }) => isOfMissing(each)),
	);
	if (isMissing && labels.some((label) => label.hasText && isOfMissing(label)))
		return either('a part gives nothing');
	const identifying = labels.filter(({ itemParts }) => itemParts.length > 0);
	const amountSaysNothing = amount.itemParts.length === 0 || saysNothing(amount);
	if (identifying.length > 0 && identifying.every(saysNothing) && amountSaysNothing)
		return sentence('the row is empty');
	if (saysNothing(reference) && reference.hasText) return sentence('a reference of text alone');
	if (
		labels.some(({ value, parts }) => parts.length > 0 && madeOfNothing.test(textOf(value ?? '')))
	)
		return sentence('a word made of nothing');
	if (wanted === undefined) return sentence('no amount that could be meant');
	if (page.reference === undefined) {
		if (page.derived === undefined) return sentence('neither name nor reference');
		if (settings.ifReferenceExists === 'skip') return sentence('Skip wants a typed reference');
		if (saysNothing(pageName)) return either('a name of text alone');
	}
	const texts = Object.entries(others).filter(([name]) => !switches.includes(name));
	if ([...labels, ...texts.map(([, text]) => text)].some(hasFalse))
		return either('false within a text');
	return { outcome: 'page', page, because: 'a row like any other' };
}

/** What becomes of a row beside one before it that goes by the same reference. */
function beside(first: Verdict, own: Verdict, { settings, service }: List): Outcome {
	const choice = settings.ifReferenceExists;
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
	const { table, mapping, settings, service } = list;
	const fields = table.rows.map((_row, row) =>
		mapping.mode === 'below' ? readBelow(table, row, mapping) : readColumns(table, row, mapping),
	);
	const size = settings.batchSize || fields.length;
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
			const asks = settings.ifReferenceExists !== 'create';
			const isOpen = asks ? !isQuiet(service) : service.duplicateReferences === 'reject';
			return isOpen && twins.length > 0 ? either : own;
		}
		const outcome = beside(first, own, list);
		if (own.outcome === 'either' && outcome === 'page') return own;
		return { ...own, outcome, because: `${own.because}, beside ${first.because}` };
	});
}
