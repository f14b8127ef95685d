import type { IDataObject } from 'n8n-workflow';

import {
	excerpt,
	failureOf,
	InvalidFieldError,
	isInDoubt,
	ServiceError,
	serviceText,
} from '../../shared/errors';
import { ExactNumber, toOutputValues, type RequestBody } from '../../shared/exactJson';
import { ExclusiveQueue } from '../../shared/queue';
import { pageExistsIn, validateReferenceRequest } from '../../shared/service/request';
import { isRecord } from '../../shared/values';
import { rejectOtherMerchant } from '../fields/checks';
import { labelOf, type PageField } from '../fields/pageFields';
import { comparisonKey } from '../fields/reference';
import type { LostAnswer, SentPage } from '../run/run';
import { declaredRequest } from '../run/runItem';
import { sendWithRetries, type RequestContext } from '../run/send';

export interface CreateInput {
	body: RequestBody;
	reference: string;
	isDerived: boolean; // whether the reference is made from the name of the page
	choice: 'create' | 'error' | 'skip'; // if the reference exists
	isSimple: boolean;
	merchants: unknown[]; // what the row says of its merchant
}

interface Creation extends RequestContext {
	input: CreateInput;
	page: SentPage;
	key: string; // equal for pages that one question to the service may be about
}

/** For a reference that nobody typed and that another row has, too. */
export function sharedReference(reference: string): InvalidFieldError {
	return new InvalidFieldError(
		"'Reference'",
		`is empty, and the one made from 'Page Name', ${excerpt(reference)}, is that of another row, too`,
		"Give each row its own 'Reference', such as the invoice number.",
	);
}

async function pageExists(creation: Creation): Promise<boolean> {
	const request = validateReferenceRequest(creation.page.reference);
	return pageExistsIn(await sendWithRetries(creation, request, { isRepeatable: true }));
}

/** 50, 50.0 and 50.00 are one amount; an ID keeps every digit. */
function comparable(value: unknown): unknown {
	return value instanceof ExactNumber
		? value.digits.replace(/\.0+$|(\.\d*?[1-9])0+$/, '$1')
		: value;
}

/** The labels of the fields that differ between two bodies, apart from the reference. */
function differences(first: RequestBody, second: RequestBody): string {
	const fields = Object.keys({ ...first, ...second }) as PageField[];
	return fields
		.filter((field) => field !== 'paymentPageLinkReference')
		.filter((field) => comparable(first[field]) !== comparable(second[field]))
		.map((field) => labelOf(field))
		.join(', ');
}

/** The page of another row of this run that the service may mean by this reference. */
function otherPage({ run, item, key, page }: Creation): SentPage | undefined {
	const pages = [...(run.pages.get(key)?.values() ?? [])].filter((one) => one.item !== item);
	const exact = pages.find(({ reference }) => reference === page.reference);
	return exact ?? pages.find(({ lost }) => lost !== undefined) ?? pages[0];
}

/** Only the first page of each reference is kept: a later one would say the same. */
function remember({ run, key, page }: Creation): void {
	const pages = run.pages.get(key) ?? new Map<string, SentPage>();
	run.pages.set(key, pages);
	if (pages.get(page.reference)?.lost !== undefined) pages.delete(page.reference);
	if (!pages.has(page.reference)) pages.set(page.reference, page);
}

const simplifiedFields = new Set([
	...['id', 'paymentPageLink', 'paymentPageLinkReference', 'pageName', 'description'],
	...['amount', 'isFixedAmount', 'isTestMode', 'isActive', 'dateCreated'],
]);

/** The page as the service returned it; without one, what was sent is all that is known. */
function toOutput({ page, input }: Creation, more?: IDataObject): IDataObject {
	const values = (page.page ?? toOutputValues(page.body)) as IDataObject;
	const isShown = ([name]: [string, unknown]) => !input.isSimple || simplifiedFields.has(name);
	const shown = Object.fromEntries(Object.entries(values).filter(isShown));
	return { id: null, paymentPageLink: null, ...shown, ...more };
}

function existsAlready({ page, input }: Creation, other: SentPage | undefined, differing: string) {
	const as = other?.reference === page.reference ? '' : ` ${excerpt(other?.reference)}`;
	const withOther = differing === '' ? '' : ` with another ${differing}`;
	const row =
		other === undefined ? '' : ` (row ${other.item + 1} has this reference${as}${withOther})`;
	const mayChoose = input.choice === 'error' && !input.isDerived;
	const skip = mayChoose ? ", or set 'If Reference Exists' to 'Skip'" : '';
	return new ServiceError(
		`A page ${excerpt(page.reference)} already exists${row}`,
		differing === ''
			? `Use another reference, update the page instead${skip}.`
			: "Give each row its own reference, or remove the row that you don't need.",
		{ kind: 'rejected' },
	);
}

/** @returns what becomes of the item if its page is there; undefined when it is not */
async function findExisting(creation: Creation): Promise<IDataObject | undefined> {
	const { page, input } = creation;
	const other = otherPage(creation);
	const isKnown = other?.reference === page.reference && other.lost === undefined;
	if (!isKnown && !(await pageExists(creation))) {
		if (other?.lost === undefined) return undefined;
		// The service may still be busy with the create of the other row.
		throw notCreatedSoFar(creation, other.reference, other.lost);
	}
	// A second row with other values is rejected in a rerun as it was at first.
	if (other === undefined) remember(creation);
	const differing = other === undefined ? '' : differences(other.body, page.body);
	if (input.choice !== 'skip' || differing !== '') throw existsAlready(creation, other, differing);
	const { id = null, paymentPageLink = null } = (other?.page ?? {}) as IDataObject;
	const known = { id, paymentPageLink, paymentPageLinkReference: page.reference };
	return { skipped: true, exists: true, ...known };
}

function nextTime({ choice, isDerived }: CreateInput): string {
	if (choice !== 'create') return 'Run again a little later: the node checks first.';
	return isDerived
		? 'Look for the page at the service before you run again.'
		: "Before you run again, set 'If Reference Exists' to 'Skip', so that no page is created twice.";
}

/** A lost answer, with what was found out about the page. */
function uncertain({ error }: LostAnswer, finding: string, advice: string): ServiceError {
	return new ServiceError(`${error.message}; ${finding}`, advice, error.details);
}

function notCreatedSoFar({ input }: Creation, reference: string, lost: LostAnswer): ServiceError {
	return uncertain(lost, `the page ${excerpt(reference)} does not exist yet`, nextTime(input));
}

/**
 * Whether the page of a create whose answer was lost is there; it is never sent again unasked.
 *
 * @throws ServiceError when it is not certain that the page is, or is not, the one that was sent
 */
async function isCreated(creation: Creation, lost: LostAnswer): Promise<boolean> {
	const name = excerpt(creation.page.reference);
	const exists = await pageExists(creation).catch((cause: unknown) => {
		// n8n looks for the word "canceled" (fact 11).
		const what =
			failureOf(cause).details.kind === 'canceled'
				? 'the execution was canceled before it was known'
				: 'it could not be determined';
		throw uncertain(lost, `${what} whether the page ${name} was created`, nextTime(creation.input));
	});
	if (!exists || lost.wasAbsent) return exists;
	throw uncertain(
		lost,
		`a page ${name} exists, but it may have existed before`,
		'Check the page at the service before you run again.',
	);
}

/** Whether the service did what was sent, as far as the two can be compared. */
function isAsSent(sent: unknown, returned: unknown): boolean {
	if (!(sent instanceof ExactNumber)) return typeof returned !== 'boolean' || returned === sent;
	const isAmount = typeof returned === 'number' || typeof returned === 'string';
	return !isAmount || Number(returned) === Number(sent.digits);
}

/** @throws ServiceError when the service made another page than was asked for */
function compareAnswer({ run, item, page: { page = {}, body } }: Creation): void {
	const fields = (['amount', 'isFixedAmount', 'isTestMode'] as const).filter(
		(field) => field in body && !isAsSent(body[field], page[field]),
	);
	if (fields.length === 0) return;
	const shown = (value: unknown = 'unknown') => serviceText(String(value));
	const others = fields.map((field) => `${labelOf(field)} ${shown(page[field])}`).join(', ');
	const failure = new ServiceError(
		`The service created another page than was asked for: ${others} (ID ${shown(page.id)}, link ${shown(page.paymentPageLink)})`,
		'Check the page at the service before anybody gets its link.',
		{ kind: 'rejected' },
	);
	run.finalFailures.set(item, failure);
	throw failure;
}

function finish(creation: Creation, more?: IDataObject): IDataObject {
	delete creation.page.lost;
	creation.run.lostPages.delete(creation.item);
	remember(creation);
	compareAnswer(creation);
	return toOutput(creation, more);
}

/** @param wasAbsent whether the service has just said that there is no such page */
async function send(creation: Creation, wasAbsent: boolean): Promise<IDataObject> {
	const { run, item, page } = creation;
	try {
		const request = declaredRequest(creation, page.body);
		const { data } = await sendWithRetries(creation, request, { isRepeatable: false });
		if (isRecord(data) && Object.keys(data).length > 0) page.page = data;
	} catch (error) {
		const failure = failureOf(error);
		if (!isInDoubt(failure)) throw failure;
		// The response was lost: only the service knows whether the page is there.
		page.lost = { error: failure, wasAbsent };
		run.lostPages.set(item, page);
		remember(creation);
		if (await isCreated(creation, page.lost)) return finish(creation, { recovered: true });
		throw notCreatedSoFar(creation, page.reference, page.lost);
	}
	return finish(creation);
}

/** Between a question and the creation, no other execution or call by an agent may ask. */
const questions = new ExclusiveQueue();

/** Creates the page of one item, or finds out that it is there; see `Operation.perform`. */
export async function createPage(
	context: RequestContext,
	input: CreateInput,
): Promise<IDataObject | undefined> {
	const { run, item, credential } = context;
	const { baseUrl, merchantId } = credential;
	rejectOtherMerchant(input.merchants, merchantId);
	const body = { merchantId, ...input.body };
	// In another try of "Retry On Fail", the page of the try before is asked for and sent.
	const made: SentPage = { item, reference: input.reference, body };
	const page = run.lostPages.get(item) ?? made;
	const key = JSON.stringify([baseUrl, merchantId.digits, comparisonKey(page.reference)]);
	const owner = run.references.get(key) ?? item;
	run.references.set(key, owner);
	if (input.isDerived && owner !== item) throw sharedReference(page.reference);
	const creation: Creation = { ...context, input, page, key };
	if (page.lost !== undefined) {
		const isThere = await isCreated(creation, page.lost);
		return isThere ? finish(creation, { recovered: true }) : await send(creation, true);
	}
	if (input.choice === 'create') return await send(creation, false);
	return await questions.run(key, async () => {
		if (!context.mayStart()) return undefined;
		return (await findExisting(creation)) ?? (await send(creation, true));
	});
}
