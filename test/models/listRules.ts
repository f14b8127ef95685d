import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { anything, folded, judge, type List, type Page, type Verdict } from './listOracle';
import { isLate, isQuiet } from './listService';
import type { Create, Run } from './listRun';

/** What must hold of a run; each rule throws an error that says which row broke it. */

class RuleBroken extends Error {
	override readonly name = 'RuleBroken';
}

function rule(holds: boolean, broken: string): asserts holds {
	if (!holds) throw new RuleBroken(broken);
}

interface Result {
	json: IDataObject;
	isError: boolean;
}

type PageValues = Create['body'];

const referenceOf = ({ paymentPageLinkReference: own }: PageValues) =>
	typeof own === 'string' ? own : '';

/** Whether a request or a stored page has exactly the values of a row. */
function isPageOf({ fields, reference, derived }: Page, values: PageValues): boolean {
	const names = new Set([...Object.keys(fields), ...Object.keys(values)]);
	for (const ignored of ['merchantId', 'additionalFields', 'paymentPageLinkReference']) {
		names.delete(ignored);
	}
	for (const name of names) {
		const wanted = fields[name];
		if (wanted === anything) continue;
		if (digits(values[name]) !== wanted) return false;
	}
	const own = referenceOf(values);
	if (reference === anything || fields.pageName === anything) return true;
	if (reference !== undefined) return own === reference;
	if (derived === undefined) return false;
	return derived.isExact ? own === derived.slug : /(^|-)[0-9a-f]{10}$/.test(own);
}

const digits = (value: unknown) =>
	typeof value === 'number'
		? String(Number(value.toPrecision(15)))
		: typeof value === 'string'
			? value.trim()
			: value;

/** What create sends of a stored page. */
function sentPartOf(page: IDataObject): PageValues {
	const own = ['id', 'paymentPageLink', 'isActive', 'dateCreated', 'isDeleted', 'pageType'];
	const sent = Object.entries(page).filter(
		([name, value]) => value !== null && !own.includes(name),
	);
	return Object.fromEntries(
		sent.filter(([name, value]) => value !== false || name === 'isFixedAmount'),
	);
}

/** A stored page does not tell a switch that was off from one that was not sent. */
function asStored(page: Page): Page {
	const fields = Object.entries(page.fields).filter(
		([name, value]) => value !== false || name === 'isFixedAmount',
	);
	return { ...page, fields: Object.fromEntries(fields) };
}

/** Gives each of the values a row of its own, strict ones first. */
function assign(verdicts: Verdict[], all: PageValues[], stored: boolean): Map<PageValues, number> {
	const rows = new Map<PageValues, number>();
	const free = verdicts.map((verdict, row) => ({ verdict, row }));
	const ranks = ['page', 'skipped', 'either'];
	free.sort((a, b) => ranks.indexOf(a.verdict.outcome) - ranks.indexOf(b.verdict.outcome));
	const isOpen = ({ verdict: { page } }: (typeof free)[number]) =>
		page.reference === anything || Object.values(page.fields).includes(anything);
	free.sort((a, b) => Number(isOpen(a)) - Number(isOpen(b)));
	for (const values of all) {
		const index = free.findIndex(
			({ verdict: { outcome, page } }) =>
				outcome !== 'sentence' && isPageOf(stored ? asStored(page) : page, values),
		);
		const [taken] = index < 0 ? [] : free.splice(index, 1);
		if (taken !== undefined) rows.set(values, taken.row);
	}
	return rows;
}

function resultsOf({ outcome, items }: Run): Array<Result | undefined> {
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
	return results;
}

const textOf = (json: unknown) => JSON.stringify(json);

function stopTextOf({ outcome }: Run): string {
	const { error } = outcome;
	if (error === undefined) return '';
	const { message, description } = error as { message: string; description?: string };
	return `${message} ${description ?? ''}`;
}

function checkWire(run: Run, verdicts: Verdict[]): void {
	const possible = verdicts.filter(({ outcome }) => outcome !== 'sentence');
	for (const { body } of run.creates) {
		rule(
			possible.some(({ page }) => isPageOf(page, body)),
			`what was sent has the values of no row: ${textOf(body)}`,
		);
	}
	const stored = run.pages.map(sentPartOf);
	const rows = assign(verdicts, stored, true);
	for (const values of stored) {
		rule(rows.has(values), `one page too many: ${textOf(values)}`);
	}
}

/** Each row of a run that goes on has one item, and says what came of it. */
function checkResults(run: Run, verdicts: Verdict[], isCalm: boolean): void {
	const results = resultsOf(run);
	const rest = [...run.pages];
	verdicts.forEach(({ outcome, page, because }, row) => {
		const name = `row ${row + 1} (${because})`;
		const result = results[row];
		rule(result !== undefined, `${name} has no output`);
		const { json, isError } = result;
		if (isError) {
			rule(/\w{3}/.test(textOf(json.error)), `${name} failed without a word`);
			rule(!isCalm || ['sentence', 'either'].includes(outcome), `${name}: ${textOf(json)}`);
			const isSent = run.creates.some(({ body }) => isPageOf(page, body));
			const isTwin = verdicts
				.filter((twin) => twin !== verdicts[row])
				.some((twin) =>
					run.creates.some(({ body }) => isPageOf(page, body) && isPageOf(twin.page, body)),
				);
			if (outcome === 'page' && isSent && !isTwin) {
				rule(!/nothing was sent/i.test(textOf(json)), `${name} was sent: ${textOf(json)}`);
			}
			return;
		}
		rule(outcome !== 'sentence', `${name} went through: ${textOf(json)}`);
		if (json.skipped === true) {
			rule(!isCalm || outcome !== 'page', `${name} was skipped: ${textOf(json)}`);
			return;
		}
		rule(!isCalm || outcome !== 'skipped', `${name} was not skipped: ${textOf(json)}`);
		const index = rest.findIndex(
			(stored) =>
				isPageOf(asStored(page), sentPartOf(stored)) &&
				(json.id === undefined || json.id === null || textOf(json.id) === stored.id),
		);
		rule(index >= 0, `${name} gives a page that is not its own: ${textOf(json)}`);
		rest.splice(index, 1);
	});
}

/** A run that stops tells what is finished, and starts nothing more. */
function checkStop(run: Run, { settings, service }: List, verdicts: Verdict[]): void {
	const { outcome, creates, pages, items } = run;
	const text = stopTextOf(run);
	if (outcome.error === undefined) {
		const wrong = verdicts.findIndex((verdict) => verdict.outcome === 'sentence');
		const { because = '' } = verdicts[wrong] ?? {};
		rule(wrong < 0, `row ${wrong + 1} went through (${because})`);
		checkResults(run, verdicts, isQuiet(service));
		return;
	}
	if (isQuiet(service)) {
		const isRight = verdicts.every((verdict) => ['page', 'skipped'].includes(verdict.outcome));
		rule(!isRight, `all rows are right, but: ${text}`);
		for (const { id, paymentPageLinkReference, paymentPageLink } of pages) {
			const told = textOf(outcome.error.context);
			for (const value of [id, paymentPageLinkReference, paymentPageLink]) {
				const written = textOf(value).slice(1, -1);
				rule(
					told.includes(written),
					`the page ${textOf(value)} is not among the finished: ${told}`,
				);
			}
		}
	}
	rule(
		creates.length === 0 || !/nothing was sent/i.test(text),
		`${creates.length} creates were sent, but: ${text}`,
	);
	const [, number, total] = /row (\d+) of (\d+)/i.exec(text) ?? [];
	if (number !== undefined) {
		rule(Number(total) === items.length, `not ${items.length} rows: ${text}`);
		const { outcome: own, because } = verdicts[Number(number) - 1] ?? {};
		const isRight = own === 'page' && isQuiet(service);
		rule(!isRight, `row ${number} is right (${because}), but: ${text}`);
	}
	const isRepeated = ['busy', 'closed', 'late'].includes(service.create?.fault ?? '');
	const failed = creates.filter(({ fault }) => fault !== null).length;
	if (!settings.retryOnFail && !isRepeated) {
		rule(
			failed <= settings.maxParallelRequests,
			`${failed} creates failed, with at most ${settings.maxParallelRequests} at once`,
		);
	}
}

/** What must hold of one run of a list at a service that had no pages. */
export function checkRun(run: Run, list: List): void {
	const verdicts = judge(list);
	const { onError } = list.settings;
	rule(run.requestsAfterEnd === 0 || isLate(list.service), 'a request came after the end');
	checkWire(run, verdicts);
	if (onError === 'stopWorkflow') checkStop(run, list, verdicts);
	else {
		const { error } = run.outcome;
		rule(error === undefined, `the node stopped: ${error?.message ?? ''}`);
		checkResults(run, verdicts, isQuiet(list.service));
	}
}

/** What must hold when the list ran again, with the node set to go on, at a service without faults. */
export function checkRerun(rerun: Run, list: List): void {
	const verdicts = judge(list);
	const { foldsReferences } = list.service;
	checkWire(rerun, verdicts);
	const names = rerun.pages.map(referenceOf);
	const keys = names.map((name) => (foldsReferences ? folded(name) : name));
	rule(new Set(keys).size === keys.length, `a page is there twice: ${names.sort().join(', ')}`);
	const results = resultsOf(rerun);
	verdicts.forEach(({ outcome, page, because }, row) => {
		if (outcome !== 'page') return;
		const name = `row ${row + 1} (${because})`;
		const isThere = rerun.pages.some((stored) => isPageOf(asStored(page), sentPartOf(stored)));
		rule(isThere, `${name} has no page after the second run: ${textOf(results[row]?.json)}`);
		const isError = results[row]?.isError ?? true;
		if (list.settings.ifReferenceExists === 'skip') {
			rule(!isError, `${name} failed in the second run: ${textOf(results[row]?.json)}`);
		}
	});
}
