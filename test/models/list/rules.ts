import type { IDataObject } from 'n8n-workflow';

import { anything, folded, type Page, type Verdict } from './oracle';
import { isInDoubt, isLate, isQuiet, isUndone, type List, type Run } from './service';

/** What must hold of a run; each rule throws an error that says which row broke it. */

function rule(holds: boolean, broken: string): asserts holds {
	if (!holds) throw new Error(broken);
}

const shown = (json: unknown): string => JSON.stringify(json);

const referenceOf = ({ paymentPageLinkReference: reference }: IDataObject) =>
	typeof reference === 'string' ? reference : '';

/** What the service adds, what is the same for all, and what is compared by itself. */
const notCompared = new Set([
	...['id', 'paymentPageLink', 'isActive', 'dateCreated', 'isDeleted', 'pageType'],
	...['merchantId', 'additionalFields', 'paymentPageLinkReference'],
]);

/** The service keeps a switch that is off and one that was not sent alike. */
function comparable(values: Record<string, unknown>): Map<string, unknown> {
	const compared = Object.entries(values).flatMap(([name, value]): Array<[string, unknown]> => {
		const isOff = value === null || (value === false && name !== 'isFixedAmount');
		if (isOff || notCompared.has(name)) return [];
		if (typeof value === 'number') return [[name, String(Number(value.toPrecision(15)))]];
		return [[name, typeof value === 'string' ? value.trim() : value]];
	});
	return new Map(compared);
}

/** Whether a request or a stored page has exactly the values of a row. */
function isPageOf({ fields, reference, derived }: Page, values: IDataObject): boolean {
	const [wanted, found] = [comparable(fields), comparable(values)];
	const isRight = (name: string) => [anything, found.get(name)].includes(wanted.get(name));
	if (![...wanted.keys(), ...found.keys()].every(isRight)) return false;
	if (reference === anything || fields.pageName === anything) return true;
	const own = referenceOf(values);
	if (reference !== undefined) return own === reference;
	if (derived === undefined) return false;
	return derived.isExact ? own === derived.slug : /(^|-)[0-9a-f]{10}$/.test(own);
}

/** All that was sent and stored has the values of a row, and each page those of another one. */
function checkPages({ creates, pages }: Run, verdicts: Verdict[]): void {
	const isOpen = ({ page }: Verdict) =>
		[page.reference, ...Object.values(page.fields)].includes(anything);
	const possible = verdicts
		.filter(({ outcome }) => outcome !== 'sentence')
		.sort((first, second) => Number(isOpen(first)) - Number(isOpen(second)));
	for (const { body } of creates) {
		const isOfRow = possible.some(({ page }) => isPageOf(page, body));
		rule(isOfRow, `what was sent has the values of no row: ${shown(body)}`);
	}
	for (const stored of pages) {
		const row = possible.findIndex(({ page }) => isPageOf(page, stored));
		rule(row >= 0, `one page too many: ${shown(stored)}`);
		possible.splice(row, 1);
	}
}

/** The item of each row, on whichever output. */
function resultsOf({ outcome, items }: Run): Array<{ json: IDataObject; isError: boolean }> {
	const outputs = [outcome.output, outcome.errorOutput].map((output, index) =>
		output.map(({ json, pairedItem }) => {
			const { item: row } = pairedItem as { item: number };
			return { row, json, isError: index === 1 || json.error !== undefined };
		}),
	);
	for (const rows of outputs.map((output) => output.map(({ row }) => row))) {
		const isInOrder = rows.every((row, index) => index === 0 || row > Number(rows[index - 1]));
		rule(isInOrder, `an output is not in the order of the rows: ${rows.join(', ')}`);
	}
	return items.map((_item, index) => {
		const [result, ...more] = outputs.flat().filter(({ row }) => row === index);
		rule(result !== undefined, `row ${index + 1} has no output`);
		rule(more.length === 0, `row ${index + 1} has two outputs`);
		return result;
	});
}

/** A sentence about a page that was sent says what is known of it, and that is so. */
function checkFinding(text: string, reference: string, { pages }: Run, { service }: List): void {
	const isThere = pages.some((page) => referenceOf(page) === reference);
	const told = `the page "${reference}" ${isThere ? 'is there' : 'is not there'}, but: ${text}`;
	const isAbsent = /does not exist yet/.test(text);
	const mayBeOlder = /exists, but it may have existed before/.test(text);
	const isTold = isAbsent || mayBeOlder || /could not be determined/.test(text);
	rule(isTold && text.includes(reference), told);
	rule(!isAbsent || !isThere || isLate(service), told);
	rule(!mayBeOlder || isThere, told);
}

/** Each row of a run that went to its end has one item, and the item says what came of the row. */
function checkResults(run: Run, list: List, verdicts: Verdict[]): void {
	const isCalm = isQuiet(list.service);
	const rest = [...run.pages];
	resultsOf(run).forEach(({ json, isError }, row) => {
		const { outcome, page, because } = verdicts[row] as Verdict;
		const told = `row ${row + 1} (${because}): ${shown(json)}`;
		if (isError) {
			rule(/\w{3}/.test(shown(json.error)), told);
			rule(!isCalm || outcome === 'sentence' || outcome === 'either', told);
			const twins = verdicts.filter((other) => other.page.reference === page.reference);
			const own = run.creates.filter(({ body }) => isPageOf(page, body)).at(-1);
			if (own === undefined || outcome !== 'page' || twins.length > 1) return;
			rule(!/nothing was sent/i.test(shown(json)), `it was sent: ${told}`);
			if (isInDoubt(list.service) && own.fault !== null)
				checkFinding(shown(json).replaceAll('\\"', '"'), referenceOf(own.body), run, list);
			return;
		}
		const isSkipped = json.skipped === true;
		rule(outcome !== 'sentence', `it went through: ${told}`);
		rule(!isCalm || isSkipped === (outcome === 'skipped') || outcome === 'either', told);
		if (isSkipped) return;
		const isOwn = (stored: IDataObject) =>
			isPageOf(page, stored) && [null, Number(stored.id)].includes(json.id as number | null);
		const index = rest.findIndex(isOwn);
		rule(index >= 0, `no page of its own: ${told}`);
		rest.splice(index, 1);
	});
}

/** A run that stopped tells what is finished and what is not known, and started nothing more. */
function checkStop(run: Run, { settings, service }: List, verdicts: Verdict[]): void {
	const { creates, pages, items, outcome } = run;
	const { description, context } = outcome.error as { description?: string; context: unknown };
	const text = `${outcome.error?.message} ${description}`;
	const told = `${text} ${shown(context)}`;
	const isRight = ({ outcome: own }: Verdict) => own === 'page' || own === 'skipped';
	rule(!isQuiet(service) || !verdicts.every(isRight), `all rows are right, but: ${text}`);
	rule(creates.length === 0 || !/nothing was sent/i.test(text), `it was sent: ${text}`);
	for (const page of pages) {
		const reference = referenceOf(page);
		const own = creates.filter(({ body }) => referenceOf(body) === reference);
		const isLost = isInDoubt(service) && own.some(({ fault }) => fault !== null);
		const isOpen = isLost || isLate(service);
		for (const part of [reference, ...(isOpen ? [] : [page.id, page.paymentPageLink])])
			rule(told.includes(shown(part).slice(1, -1)), `${reference} is not told: ${told}`);
	}
	const [, row, total] = /row (\d+) of (\d+)/i.exec(text) ?? [];
	if (row !== undefined) {
		const verdict = verdicts[Number(row) - 1];
		rule(Number(total) === items.length && verdict !== undefined, `another row: ${text}`);
		rule(!isQuiet(service) || !isRight(verdict), `a row that is right: ${text}`);
	}
	const failed = isUndone(service) ? creates.filter(({ fault }) => fault !== null).length : 0;
	const most = settings.maxParallelRequests * (settings.retryOnFail ? 2 : 1);
	rule(failed <= most, `${failed} creates failed, with ${settings.maxParallelRequests} at once`);
}

/** What must hold of a run of a list at a service that had no pages. */
export function checkRun(run: Run, list: List, verdicts: Verdict[]): void {
	const { error } = run.outcome;
	rule(run.requestsAfterEnd === 0 || isLate(list.service), 'a request came after the end');
	checkPages(run, verdicts);
	if (error === undefined) checkResults(run, list, verdicts);
	else {
		rule(list.settings.onError === 'stopWorkflow', `the node stopped: ${error.message}`);
		checkStop(run, list, verdicts);
	}
}

/** What must hold when the list ran again, with the node set to go on and the service healthy. */
export function checkRerun(run: Run, list: List, verdicts: Verdict[]): void {
	checkPages(run, verdicts);
	const names = run.pages.map(referenceOf);
	const keys = names.map((name) => (list.service.foldsReferences ? folded(name) : name));
	rule(new Set(keys).size === keys.length, `a page is there twice: ${names.sort().join(', ')}`);
	resultsOf(run).forEach(({ json, isError }, row) => {
		const { outcome, page, because } = verdicts[row] as Verdict;
		if (outcome !== 'page') return;
		const told = `row ${row + 1} (${because}), in the second run: ${shown(json)}`;
		const isThere = run.pages.some((stored) => isPageOf(page, stored));
		rule(isThere, `no page of ${told}`);
		rule(list.settings.ifReferenceExists === 'error' || !isError, told);
	});
}
