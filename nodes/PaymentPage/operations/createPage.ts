import type { IDataObject } from 'n8n-workflow';

import {
	excerpt,
	failureOf,
	InvalidFieldError,
	isInDoubt,
	ServiceError,
	serviceText,
} from '../../shared/errors';
import {
	ExactNumber,
	toOutputValues,
	type BodyValue,
	type RequestBody,
} from '../../shared/exactJson';
import { pageExistsIn, validateReferenceRequest } from '../../shared/service/request';
import type { Envelope } from '../../shared/service/response';
import { ExclusiveQueue } from '../../shared/queue';
import { isRecord } from '../../shared/values';
import { rejectOtherMerchant } from '../fields/checks';
import { quotedLabel, type PageField } from '../fields/pageFields';
import { comparisonKey } from '../fields/reference';
import type { SentPage } from '../run/run';
import { declaredRequest, FinalError, type RequestContext } from '../run/runItem';
import { sendWithRetries } from '../run/send';

export type IfReferenceExists = 'create' | 'error' | 'skip';

/** What one item asks for. */
export interface CreateInput {
	body: RequestBody;
	reference: string;
	/** Whether the reference is made from the name of the page. */
	isDerived: boolean;
	choice: IfReferenceExists;
	isSimple: boolean;
	/** What the row says of its merchant. */
	merchants: unknown[];
}

/** For a reference that nobody typed and that another row has, too. */
export function sharedReference(reference: string): InvalidFieldError {
	return new InvalidFieldError(
		"'Reference'",
		`is empty, and the one made from 'Page Name', ${excerpt(reference)}, is that of another row, too`,
		"Give each row its own 'Reference', such as the invoice number.",
	);
}

/** What the node asks for and sends for one item, and what is known of its page. */
interface Creation extends RequestContext {
	input: CreateInput;
	page: SentPage;
	/** Equal for pages that one question to the service may be about. */
	key: string;
}

async function pageExists(creation: Creation): Promise<boolean> {
	const request = validateReferenceRequest(creation.page.reference);
	return pageExistsIn(await sendWithRetries(creation, request, { isRepeatable: true }));
}

/** 50, 50.0 and 50.00 are one amount; an ID keeps every digit. */
function comparable(value: BodyValue | undefined): unknown {
	if (!(value instanceof ExactNumber)) return value;
	const { digits } = value;
	return `number ${digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits}`;
}

/** The fields that differ between two bodies, apart from the reference. */
function differingFields(first: RequestBody, second: RequestBody): PageField[] {
	const fields = [...new Set([...Object.keys(first), ...Object.keys(second)])] as PageField[];
	return fields.filter(
		(field) =>
			field !== 'paymentPageLinkReference' &&
			comparable(first[field]) !== comparable(second[field]),
	);
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

const simplifiedFields = [
	'id',
	'paymentPageLink',
	'paymentPageLinkReference',
	'pageName',
	'description',
	'amount',
	'isFixedAmount',
	'isTestMode',
	'isActive',
	'dateCreated',
];

/** The page as the service returned it; without one, what was sent is all that is known. */
function toOutput({ page, input }: Creation, more: IDataObject = {}): IDataObject {
	const values = (page.page ?? toOutputValues(page.body)) as IDataObject;
	const shown = Object.entries(values).filter(
		([name]) => !input.isSimple || simplifiedFields.includes(name),
	);
	return { id: null, paymentPageLink: null, ...Object.fromEntries(shown), ...more };
}

/** With which words a page that is there is told from what the row asks for. */
function existsAlready({ page, input }: Creation, other: SentPage | undefined): ServiceError {
	const differing = other === undefined ? [] : differingFields(other.body, page.body);
	const fields = differing.map((field) => quotedLabel(field)).join(', ');
	const as = other?.reference === page.reference ? '' : ` ${excerpt(other?.reference)}`;
	const row =
		other === undefined
			? ''
			: ` (row ${other.item + 1} has this reference${as}${fields === '' ? '' : ` with another ${fields}`})`;
	const skip =
		input.choice === 'skip' || input.isDerived ? '' : ", or set 'If Reference Exists' to 'Skip'";
	return new ServiceError(
		`A page ${excerpt(page.reference)} already exists${row}`,
		differing.length > 0
			? "Give each row its own reference, or remove the row that you don't need."
			: `Use another reference, update the page instead${skip}.`,
		{ kind: 'rejected' },
	);
}

/**
 * What becomes of the item if its page is there.
 *
 * @returns undefined when there is no page with the reference
 * @throws ServiceError when the item can't be skipped
 */
async function findExisting(creation: Creation): Promise<IDataObject | undefined> {
	const { page, input } = creation;
	const other = otherPage(creation);
	const isKnown = other?.reference === page.reference && other.lost === undefined;
	if (!isKnown && !(await pageExists(creation))) {
		if (other?.lost === undefined) return undefined;
		// The service may still be busy with the create of the other row.
		throw notCreatedSoFar(creation, other);
	}
	// A second row with other values is rejected in a rerun as it was at first.
	if (other === undefined) remember(creation);
	const isSame = other === undefined || differingFields(other.body, page.body).length === 0;
	if (input.choice !== 'skip' || !isSame) throw existsAlready(creation, other);
	return {
		skipped: true,
		exists: true,
		id: (other?.page?.id ?? null) as IDataObject['id'],
		paymentPageLink: (other?.page?.paymentPageLink ?? null) as IDataObject['paymentPageLink'],
		paymentPageLinkReference: page.reference,
	};
}

function nextTime({ choice, isDerived }: CreateInput): string {
	if (choice !== 'create') return 'Run again a little later: the node checks first.';
	return isDerived
		? 'Look for the page at the service before you run again.'
		: "Before you run again, set 'If Reference Exists' to 'Skip', so that no page is created twice.";
}

/** A failure with what was found out about the page. */
function uncertain(error: ServiceError, finding: string, advice: string): ServiceError {
	return new ServiceError(`${error.message}; ${finding}`, advice, error.details);
}

function notCreatedSoFar({ input }: Creation, { reference, lost }: SentPage): ServiceError {
	const error = lost?.error ?? new ServiceError('', '', { kind: 'answerLost' });
	return uncertain(error, `the page ${excerpt(reference)} does not exist yet`, nextTime(input));
}

/**
 * Asks whether the page of a create whose answer was lost is there. Such a create is never sent
 * again without this question.
 *
 * @returns true when the page is there and is the one that was sent, false when no such page exists
 * @throws ServiceError when neither is certain, saying what was found and what to do
 */
async function isCreated(
	creation: Creation,
	{ error, wasAbsent }: NonNullable<SentPage['lost']>,
): Promise<boolean> {
	const { page, input } = creation;
	const name = excerpt(page.reference);
	let exists: boolean;
	try {
		exists = await pageExists(creation);
	} catch (cause) {
		// n8n looks for the word "canceled" (n8n facts, "The declarative engine").
		const finding =
			failureOf(cause).details.kind === 'canceled'
				? `the execution was canceled before it was known whether the page ${name} was created`
				: `it could not be determined whether the page ${name} was created`;
		throw uncertain(error, finding, nextTime(input));
	}
	if (exists && !wasAbsent) {
		throw uncertain(
			error,
			`a page ${name} exists, but it may have existed before`,
			'Check the page at the service before you run again.',
		);
	}
	return exists;
}

/** Whether two values of a switch or an amount are the same, as far as they can be compared. */
function isSame(sent: BodyValue, returned: unknown): boolean {
	if (sent instanceof ExactNumber) {
		const isNumber = typeof returned === 'number' || typeof returned === 'string';
		return !isNumber || Number(returned) === Number(sent.digits);
	}
	return typeof returned !== 'boolean' || returned === sent;
}

/** @throws FinalError when the service made another page than was asked for */
function compareAnswer({ page: { page, body } }: Creation): void {
	if (page === undefined) return;
	const fields = (['amount', 'isFixedAmount', 'isTestMode'] as const).filter((field) => {
		const sent = body[field];
		return sent !== undefined && field in page && !isSame(sent, page[field]);
	});
	if (fields.length === 0) return;
	const differences = fields.map(
		(field) => `${quotedLabel(field)} ${serviceText(String(page[field]))}`,
	);
	const where = [`ID ${serviceText(String(page.id))}`, serviceText(page.paymentPageLink)];
	throw new FinalError(
		`The service created another page than was asked for: ${differences.join(', ')} (${where.filter(Boolean).join(', ')})`,
		'Check the page at the service before anybody gets its link.',
		{ kind: 'rejected' },
	);
}

function done(creation: Creation): void {
	const { run, item, page } = creation;
	delete page.lost;
	run.lostPages.delete(item);
	remember(creation);
}

function recovered(creation: Creation): IDataObject {
	done(creation);
	return toOutput(creation, { recovered: true });
}

/** @param wasAbsent whether the service has just said that there is no such page */
async function send(creation: Creation, wasAbsent: boolean): Promise<IDataObject> {
	const { run, item, page } = creation;
	let envelope: Envelope;
	try {
		const request = declaredRequest(creation, page.body);
		envelope = await sendWithRetries(creation, request, { isRepeatable: false });
	} catch (error) {
		const failure = failureOf(error);
		if (!isInDoubt(failure)) throw failure;
		// The response was lost: only the service knows whether the page is there.
		page.lost = { error: failure, wasAbsent };
		run.lostPages.set(item, page);
		remember(creation);
		if (await isCreated(creation, page.lost)) return recovered(creation);
		throw notCreatedSoFar(creation, page);
	}
	const { data } = envelope;
	if (isRecord(data) && Object.keys(data).length > 0) page.page = data;
	done(creation);
	compareAnswer(creation);
	return toOutput(creation);
}

/**
 * Between the question for a reference and the creation of its page, nobody else in this process may
 * ask: neither another execution nor another call by an agent.
 */
const questions = new ExclusiveQueue();

/**
 * Creates the page of one item, or finds out that it is there.
 *
 * @returns undefined when the run stopped while the item waited for its turn
 * @throws ServiceError or InvalidFieldError
 */
export async function createPage(
	context: RequestContext,
	input: CreateInput,
): Promise<IDataObject | undefined> {
	const { run, item, credential } = context;
	rejectOtherMerchant(input.merchants, credential.merchantId);
	const { baseUrl, merchantId } = credential;
	// In another try of "Retry On Fail", the page of the try before is asked for and sent.
	const page = run.lostPages.get(item) ?? {
		item,
		reference: input.reference,
		body: { merchantId, ...input.body },
	};
	const key = JSON.stringify([baseUrl, merchantId.digits, comparisonKey(page.reference)]);
	const creation: Creation = { ...context, input, page, key };
	const owner = run.references.get(key) ?? item;
	run.references.set(key, owner);
	if (input.isDerived && owner !== item) throw sharedReference(page.reference);
	if (page.lost !== undefined) {
		const isThere = await isCreated(creation, page.lost);
		return isThere ? recovered(creation) : await send(creation, true);
	}
	if (input.choice === 'create') return await send(creation, false);
	return await questions.run(key, async () => {
		if (!context.mayStart()) return undefined;
		return (await findExisting(creation)) ?? (await send(creation, true));
	});
}
