import { isDeepStrictEqual } from 'node:util';

import { columnsFor, type Automatic } from './listColumns';
import { fixed, readAmount, readLabel, unlisted, type Below, type Reading } from './listMappings';
import { isQuiet, type Service, type Settings } from './listService';
import { valueOf, type Table, type Value } from './listTables';

/**
 * What each row of a list means, by the rules of the node's documentation and by how the list was
 * made up. It shares no code with the node and reads no expression.
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
	reference: Wanted | undefined;
	/** Made of the name: all of it, or what stands before a fingerprint. */
	derived?: { slug: string; isExact: boolean; name: string };
}

/** What has to come of a row; `either` where the rules leave it open. */
export type Outcome = 'page' | 'skipped' | 'sentence' | 'either';

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

function isBlank({ json }: Value): boolean {
	const only = unlisted(json);
	return only === null || only === undefined || (typeof only === 'string' && only.trim() === '');
}

const isFalse = ({ json }: Value): boolean => unlisted(json) === false;

const isNothing = (value: Value): boolean => isBlank(value) || isFalse(value);

function saysNothing({ value, hasText, allParts, itemParts }: Reading): boolean {
	if (isNothing(value)) return true;
	if (!hasText || allParts.length === 0) return false;
	return allParts.every(isNothing) || (itemParts.length > 0 && itemParts.every(isNothing));
}

function textOf({ json }: Value): string {
	return String(unlisted(json)).trim();
}

function flagOf(value: Value): boolean {
	return ['true', 'yes', 'on', '1'].includes(textOf(value).toLowerCase());
}

function readBelow({ table }: List, row: number, mapping: Below): Fields {
	const others: Record<string, Reading> = {};
	const { description, isTestMode } = mapping;
	if (description !== null) others.description = readLabel(table, row, description);
	if (isTestMode !== null) {
		const value = isTestMode === 'column' ? valueOf(table, row, 'test') : { json: isTestMode };
		others.isTestMode = { ...fixed, value };
	}
	return {
		pageName: readLabel(table, row, mapping.pageName),
		reference: readLabel(table, row, mapping.reference),
		amount: readAmount(table, row, mapping.amount),
		others,
		isFixedAmount: mapping.isFixedAmount,
	};
}

const ownMerchant = '1002003004005006007';

function readColumns({ table }: List, row: number, mapping: Automatic): Fields {
	const wrong: string[] = [];
	const read = (field: string): Reading => {
		const [value, ...more] = columnsFor(table, row, field, mapping);
		if (more.length > 0) wrong.push(`two columns for ${field}`);
		if (value === undefined) return { ...fixed, value: { json: undefined } };
		return { ...fixed, value, itemParts: [value], allParts: [value] };
	};
	const merchant = read('merchantId').value;
	if (!isBlank(merchant) && textOf(merchant) !== ownMerchant) wrong.push('another merchant');
	const flag = read('isFixedAmount').value;
	const others: Record<string, Reading> = {};
	const names = ['isTestMode', 'description', 'notificationEmail', 'callBackUrl', 'successMessage'];
	for (const name of names) others[name] = read(name);
	const fields: Fields = {
		pageName: read('pageName'),
		reference: read('paymentPageLinkReference'),
		amount: read('amount'),
		others,
		isFixedAmount: isBlank(flag) ? mapping.isFixedAmount : flagOf(flag),
	};
	return wrong.length > 0 ? { ...fields, wrongColumns: wrong.join(', ') } : fields;
}

/** The amount on the wire; '' for none, null when it can't be one. */
function amountOf({ value, allParts, adds }: Reading, isFixed: boolean): Wanted | null {
	const json = unlisted(value.json);
	const part = unlisted(allParts[0]?.json);
	if (isBlank(value)) return isFixed ? null : '';
	if (adds && typeof part === 'string') return part.trim() === '' ? anything : null;
	if (typeof part === 'number' && typeof json === 'string') {
		// A blank around the part made text of a number, which may have two meanings now.
		if (/^\d{1,3}\.\d{3}$|e/.test(json.trim())) return anything;
	}
	const means = typeof part === 'number' ? digitsOf(part) : (value.money ?? null);
	return means === '0' && isFixed ? null : means;
}

/** A double is exact to 15 digits. */
function digitsOf(amount: number): string | null {
	return Number.isFinite(amount) && amount >= 0 ? String(Number(amount.toPrecision(15))) : null;
}

const isSpreadsheetError = (value: Value) => ['#N/A', '#REF!'].includes(textOf(value));

/** Words that an expression made of nothing; no cell of a table holds them in this spelling. */
const madeOfNothing = /(?<![\p{L}\p{N}])(undefined|null|NaN)(?![\p{L}\p{N}])/u;

/** Beside something else, a `false` may be left out or not. */
const hasFalse = ({ allParts, value }: Reading) =>
	!isFalse(value) && (allParts.some(isFalse) || /\bfalse\b/.test(textOf(value)));

function derivedFrom(name: string): Page['derived'] {
	const letters = name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
	const isExact = /^[\sa-z0-9&?–./-]*$/.test(letters);
	return { slug: letters.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''), isExact, name };
}

function pageOf(fields: Fields, amount: Wanted | null): Page {
	const { pageName, reference, others, isFixedAmount } = fields;
	const page: Page = { fields: { isFixedAmount }, reference: undefined };
	const set = (name: string, value: Wanted) => {
		page.fields[name] = value;
	};
	if (!isNothing(pageName.value)) {
		const isOpen = hasFalse(pageName) || saysNothing(pageName);
		set('pageName', isOpen ? anything : textOf(pageName.value));
		page.derived = derivedFrom(textOf(pageName.value));
	}
	if (amount !== '' && amount !== null) set('amount', amount);
	for (const [name, reading] of Object.entries(others)) {
		const { value } = reading;
		const isSwitch = switches.includes(name);
		if (isSwitch ? isBlank(value) : isNothing(value)) continue;
		if (isSwitch) set(name, flagOf(value));
		else if (hasFalse(reading) || saysNothing(reading)) set(name, anything);
		else set(name, textOf(value));
	}
	if (!isNothing(reference.value)) {
		page.reference = hasFalse(reference) ? anything : textOf(reference.value);
	}
	return page;
}

/** By the row alone. */
function judgeRow(fields: Fields, together: Fields[], settings: Settings): Verdict {
	const { pageName, reference, amount, others, isFixedAmount, wrongColumns } = fields;
	const wanted = amountOf(amount, isFixedAmount);
	const page = pageOf(fields, wanted);
	const sentence = (because: string): Verdict => ({ outcome: 'sentence', page, because });
	const either = (because: string): Verdict => ({ outcome: 'either', page, because });

	if (wrongColumns !== undefined) return sentence(wrongColumns);
	for (const read of [pageName, reference, amount, ...Object.values(others)]) {
		if ([read.value, ...read.allParts].some(isSpreadsheetError)) return sentence('an error cell');
	}
	for (const name of ['pageName', 'reference', 'amount'] as const) {
		const givesNothing = together.every(
			({ [name]: { isExpression, value } }) => isExpression && value.json === undefined,
		);
		if (givesNothing) return sentence(`${name} gives nothing in any row`);
	}
	const isOfMissing = ({ allParts }: Reading) => allParts.some(({ json }) => json === undefined);
	if ([pageName, reference].some((read) => read.hasText && isOfMissing(read))) {
		const isEverywhere = (name: 'pageName' | 'reference') =>
			together.every(({ [name]: read }) => isOfMissing(read));
		if (isEverywhere('pageName') || isEverywhere('reference'))
			return either('a part gives nothing');
	}
	const identifying = [pageName, reference].filter(({ itemParts }) => itemParts.length > 0);
	const amountSaysNothing = amount.itemParts.length === 0 || saysNothing(amount);
	if (identifying.length > 0 && identifying.every(saysNothing) && amountSaysNothing) {
		return sentence('the row is empty');
	}
	if (saysNothing(reference) && reference.hasText) return sentence('a reference of text alone');
	for (const { value, allParts } of [pageName, reference]) {
		if (allParts.length > 0 && madeOfNothing.test(textOf(value)) && !isNothing(value)) {
			return sentence('a word made of nothing');
		}
	}
	if (wanted === null) return sentence('no amount that could be meant');
	if (page.reference === undefined) {
		if (page.derived === undefined) return sentence('neither name nor reference');
		if (settings.ifReferenceExists === 'skip') return sentence('Skip wants a typed reference');
		if (saysNothing(pageName)) return either('a name of text alone');
	}
	if (wanted === anything) return either('an amount between blanks');
	const texts = Object.entries(others).filter(([name]) => !switches.includes(name));
	if ([pageName, reference, ...texts.map(([, read]) => read)].some(hasFalse)) {
		return either('false within a text');
	}
	const isBlankTyped = amount.isExpression && isBlank(amount.value) && !isFixedAmount;
	const isTextOfNothing = isBlankTyped && amount.value.json !== amount.allParts[0]?.json;
	if (isTextOfNothing) return either('blanks around an amount that is not there');
	return { outcome: 'page', page, because: 'a row like any other' };
}

export const folded = (reference: string) =>
	reference.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const keyOf = ({ reference, derived }: Page): string => {
	if (typeof reference === 'string') return folded(reference);
	return reference === undefined && derived !== undefined
		? derived.isExact
			? derived.slug
			: `~${derived.name.toLowerCase()}`
		: '?';
};

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
	const { table, mapping, settings } = list;
	const fields = table.rows.map((_row, row) =>
		mapping.mode === 'below' ? readBelow(list, row, mapping) : readColumns(list, row, mapping),
	);
	const size = settings.batchSize || fields.length;
	const batchOf = (row: number) => Math.floor(row / size);
	const verdicts = fields.map((own, row) => {
		const together = fields.filter((_fields, other) => batchOf(other) === batchOf(row));
		return judgeRow(own, together, settings);
	});
	return verdicts.map((own, row) => {
		if (own.outcome === 'sentence') return own;
		const twins = verdicts.filter(
			({ page }, other) => other !== row && keyOf(page) === keyOf(own.page),
		);
		const near = verdicts.filter((_verdict, other) => batchOf(other) === batchOf(row));
		const sharing = twins.filter(
			(twin) => near.includes(twin) && twin.page.reference === undefined,
		);
		const isDerived = own.page.reference === undefined;
		if (isDerived && sharing.some(({ outcome }) => outcome === 'page')) {
			return { ...own, outcome: 'sentence', because: 'a derived reference that two rows share' };
		}
		if (isDerived && (sharing.length > 0 || !own.page.derived?.isExact)) {
			return twins.length > 0 ? { ...own, outcome: 'either', because: 'may share' } : own;
		}
		const before = verdicts.slice(0, row).filter((other) => twins.includes(other));
		// Of which of several rows the others are twins is open where one of them is rejected.
		const first = before.find(({ outcome }) => outcome !== 'page') ?? before[0];
		if (first === undefined) {
			// Who of several comes first is open where nobody asks, and where one may fail at the service.
			const { duplicateReferences } = list.service;
			const asks = settings.ifReferenceExists !== 'create';
			const isOpen = asks ? !isQuiet(list.service) : duplicateReferences === 'reject';
			return isOpen && twins.length > 0 ? { ...own, outcome: 'either', because: 'twins' } : own;
		}
		const outcome = beside(first, own, list);
		if (own.outcome === 'either' && outcome === 'page') return own;
		return { ...own, outcome, because: `${own.because}, beside ${first.because}` };
	});
}
