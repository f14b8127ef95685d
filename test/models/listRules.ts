import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { anything, folded, judge, type List, type Page, type Verdict } from './listOracle';
import type { Create, Run } from './listRun';
import { isInDoubt, isLate, isQuiet, isUndone } from './listService';

/** What must hold of a run; each rule throws an error that says which row broke it. */

function rule(holds: boolean, broken: string): asserts holds {
	if (!holds) throw new Error(broken);
}

const textOf = (json: unknown): string => JSON.stringify(json);

const referenceOf = ({ paymentPageLinkReference: own }: IDataObject) =>
	typeof own === 'string' ? own : '';

/** What the service adds, what is the same for all, and what is compared by itself. */
const notCompared = new Set([
	...['id', 'paymentPageLink', 'isActive', 'dateCreated', 'isDeleted', 'pageType'],
	...['merchantId', 'additionalFields', 'paymentPageLinkReference'],
]);

/** The service keeps a switch that is off and one that was not sent alike. */
function comparable(values: Record<string, unknown>): Map<string, unknown> {
	const compared = Object.entries(values).filter(([name, value]) => {
		const isOff = value === null || (value === false && name !== 'isFixedAmount');
		return !isOff && !notCompared.has(name);
	});
	return new Map(compared.map(([name, value]) => [name, asWanted(value)]));
}

function asWanted(value: unknown): unknown {
	if (typeof value === 'number') return String(Number(value.toPrecision(15)));
	return typeof value === 'string' ? value.trim() : value;
}

/** Whether a request or a stored page has exactly the values of a row. */
function isPageOf({ fields, reference, derived }: Page, values: IDataObject): boolean {
	const wanted = comparable(fields);
	const found = comparable(values);
	for (const name of new Set([...wanted.keys(), ...found.keys()])) {
		if (wanted.get(name) !== anything && wanted.get(name) !== found.get(name)) return false;
	}
	const own = referenceOf(values);
	if (reference === anything || fields.pageName === anything) return true;
	if (reference !== undefined) return own === reference;
	if (derived === undefined) return false;
	return derived.isExact ? own === derived.slug : /(^|-)[0-9a-f]{10}$/.test(own);
}

/** All that was sent and stored has the values of a row, and each page those of another one. */
function checkPages({ creates, pages }: Run, verdicts: Verdict[]): void {
	const isStrict = ({ page }: Verdict) =>
		![page.reference, ...Object.values(page.fields)].includes(anything);
	const possible = verdicts
		.filter(({ outcome }) => outcome !== 'sentence')
		.sort((first, second) => Number(isStrict(second)) - Number(isStrict(first)));
	for (const { body } of creates) {
		const isOfRow = possible.some(({ page }) => isPageOf(page, body));
		rule(isOfRow, `what was sent has the values of no row: ${textOf(body)}`);
	}
	for (const stored of pages) {
		const row = possible.findIndex(({ page }) => isPageOf(page, stored));
		rule(row >= 0, `one page too many: ${textOf(stored)}`);
		possible.splice(row, 1);
	}
}

interface Result {
	json: IDataObject;
	isError: boolean;
}

/** The item of each row, on whichever output. */
function resultsOf({ outcome, items }: Run): Result[] {
	const results: Array<Result | undefined> = items.map(() => undefined);
	const take = (all: INodeExecutionData[], isError: boolean) => {
		let last = -1;
		for (const { json, pairedItem } of all) {
			const { item } = pairedItem as { item: number };
			rule(item > last, `the outputs are not in the order of the rows: ${last + 1}, ${item + 1}`);
			last = item;
			rule(results[item] === undefined, `row ${item + 1} has two outputs`);
			results[item] = { json, isError: isError || json.error !== undefined };
		}
	};
	take(outcome.output, false);
	take(outcome.errorOutput, true);
	return results.map((result, row) => {
		rule(result !== undefined, `row ${row + 1} has no output`);
		return result;
	});
}

/** What the node may have found out about a page whose create was not answered. */
const findings = {
	absent: /does not exist yet/,
	there: /exists, but it may have existed before/,
	unknown: /could not be determined/,
};

/** A sentence about a page that was sent says what is known of it, and that is so. */
function checkFinding(text: string, create: Create, { pages }: Run, { service }: List): void {
	const reference = referenceOf(create.body);
	const isThere = pages.some((page) => referenceOf(page) === reference);
	const told = `the page "${reference}" ${isThere ? 'is there' : 'is not there'}, but: ${text}`;
	rule(
		Object.values(findings).some((finding) => finding.test(text)),
		told,
	);
	rule(text.includes(reference), told);
	if (!isLate(service)) rule(!findings.absent.test(text) || !isThere, told);
	rule(!findings.there.test(text) || isThere, told);
}

/** Each row of a run that went to its end has one item, and the item says what came of the row. */
function checkResults(run: Run, list: List, verdicts: Verdict[]): void {
	const isCalm = isQuiet(list.service);
	const rest = [...run.pages];
	resultsOf(run).forEach(({ json, isError }, row) => {
		const { outcome, page, because } = verdicts[row] as Verdict;
		const told = `row ${row + 1} (${because}): ${textOf(json)}`;
		if (isError) {
			rule(/\w{3}/.test(textOf(json.error)), told);
			rule(!isCalm || outcome === 'sentence' || outcome === 'either', told);
			const twins = verdicts.filter((other) => other.page.reference === page.reference);
			const own = run.creates.filter(({ body }) => isPageOf(page, body)).at(-1);
			if (own === undefined || outcome !== 'page' || twins.length > 1) return;
			rule(!/nothing was sent/i.test(textOf(json)), `it was sent: ${told}`);
			if (isInDoubt(list.service) && own.fault !== null)
				checkFinding(textOf(json).replaceAll('\\"', '"'), own, run, list);
			return;
		}
		rule(outcome !== 'sentence', `it went through: ${told}`);
		if (isCalm)
			rule((json.skipped === true) === (outcome === 'skipped') || outcome === 'either', told);
		if (json.skipped === true) return;
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
	const told = `${text} ${textOf(context)}`;
	const isRight = ({ outcome: own }: Verdict) => own === 'page' || own === 'skipped';
	rule(!isQuiet(service) || !verdicts.every(isRight), `all rows are right, but: ${text}`);
	rule(creates.length === 0 || !/nothing was sent/i.test(text), `it was sent: ${text}`);
	for (const page of pages) {
		const reference = referenceOf(page);
		const own = creates.filter(({ body }) => referenceOf(body) === reference);
		const isLost = isInDoubt(service) && own.some(({ fault }) => fault !== null);
		const names =
			isLost || isLate(service) ? [reference] : [page.id, reference, page.paymentPageLink];
		for (const name of names)
			rule(told.includes(textOf(name).slice(1, -1)), `${reference} is not told: ${told}`);
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
export function checkRun(run: Run, list: List): void {
	const verdicts = judge(list);
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
export function checkRerun(run: Run, list: List): void {
	const verdicts = judge(list);
	checkPages(run, verdicts);
	const names = run.pages.map(referenceOf);
	const keys = names.map((name) => (list.service.foldsReferences ? folded(name) : name));
	rule(new Set(keys).size === keys.length, `a page is there twice: ${names.sort().join(', ')}`);
	resultsOf(run).forEach(({ json, isError }, row) => {
		const { outcome, page, because } = verdicts[row] as Verdict;
		if (outcome !== 'page') return;
		const told = `row ${row + 1} (${because}), in the second run: ${textOf(json)}`;
		rule(
			run.pages.some((stored) => isPageOf(page, stored)),
			`no page of ${told}`,
		);
		rule(list.settings.ifReferenceExists === 'error' || !isError, told);
	});
}
