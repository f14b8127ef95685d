import type { IExecutePaginationFunctions } from 'n8n-workflow';

import type { ServiceCredential } from '../../../../shared/credential';
import { ExactNumber, type BodyValue, type RequestBody } from '../../../../shared/exactJson';
import type { ServiceError } from '../../../../shared/errors';
import type { RequestContext } from '../../../run/operation';
import type { Run } from '../../../run/run';
import { looseReference } from '../looseReference';

/** An item, as n8n counts it: from 0, in each run of its node. */
export interface ItemName {
	node: string;
	run: number;
	item: number;
}

/** A create whose answer was lost: its page may be there. */
export interface LostAnswer {
	error: ServiceError;
	/** Whether the service had said, before the request, that no such page existed. */
	wasAbsent: boolean;
}

/** A page that an item of this execution has sent, or has met when it asked first. */
export interface SentPage {
	by: ItemName;
	reference: string;
	/** The body as it is sent, or would have been: in another try, an expression may give other values. */
	sent: RequestBody;
	/** Absent when the page is known to be there. */
	lost?: LostAnswer;
	/** True when the page was there before: the item was skipped. */
	wasThere?: boolean;
}

/**
 * Equal for pages that one question may be about. It carries the key of the credential, and no
 * merchant: a merchant of the item's own makes no difference to the answer.
 */
export function pageKey(credential: ServiceCredential, reference: string): string {
	const { baseUrl, merchantId } = credential;
	return JSON.stringify([baseUrl, merchantId.digits, looseReference(reference)]);
}

/** 50, 50.0 and 50.00 are one amount; an ID keeps every digit. */
function comparable(value: BodyValue | undefined): unknown {
	if (!(value instanceof ExactNumber)) return value;
	const { digits } = value;
	return `number ${digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits}`;
}

export function isOfSameMerchant({ sent: first }: SentPage, { sent: second }: SentPage): boolean {
	return comparable(first.merchantId) === comparable(second.merchantId);
}

/** The fields that differ between two bodies, apart from the reference. */
export function differingFields(first: RequestBody, second: RequestBody): string[] {
	const fields = [...new Set([...Object.keys(first), ...Object.keys(second)])];
	return fields.filter(
		(field) =>
			field !== 'paymentPageLinkReference' &&
			comparable(first[field]) !== comparable(second[field]),
	);
}

/** The pages that one execution has sent or met. */
export class SentPages {
	private readonly pages = new Map<string, SentPage[]>();

	add(key: string, page: SentPage): void {
		const pages = this.pages.get(key);
		if (pages === undefined) this.pages.set(key, [page]);
		else if (!pages.includes(page)) pages.push(page);
	}

	/** The page that the service may have in mind when it is asked for a reference. */
	find(key: string, wanted: SentPage): SentPage | undefined {
		const all = this.pages.get(key) ?? [];
		const own = all.filter((page) => isOfSameMerchant(page, wanted));
		const pages = own.length > 0 ? own : all;
		const exact = pages.filter(({ reference }) => reference === wanted.reference);
		// A later try may have made a page whose first answer was lost.
		const named = exact.find(({ lost }) => lost === undefined) ?? exact.at(-1);
		return named ?? pages.find(({ lost }) => lost !== undefined) ?? pages[0];
	}
}

const executions = new WeakMap<object, SentPages>();

/**
 * One signal belongs to each execution, with all of its nodes and all of their runs, as long as it is
 * in this process. What hangs on it goes with it, and is never more than the outputs that n8n keeps
 * itself. Only a tool called by an MCP client has none: there, each call is on its own.
 */
export function sentPagesOf(node: IExecutePaginationFunctions): SentPages {
	const execution = node.getExecutionCancelSignal() ?? node.getExecuteData();
	const pages = executions.get(execution) ?? new SentPages();
	executions.set(execution, pages);
	return pages;
}

const lostPages = new WeakMap<Run, Map<number, SentPage>>();

/** Pages of one run of the node whose create was not answered, by item, for the next try. */
export function lostPagesOf(run: Run): Map<number, SentPage> {
	const pages = lostPages.get(run) ?? new Map<number, SentPage>();
	lostPages.set(run, pages);
	return pages;
}

export function itemNameOf({ node, run }: RequestContext): ItemName {
	return { node: node.getNode().name, run: run.index, item: node.getItemIndex() };
}
