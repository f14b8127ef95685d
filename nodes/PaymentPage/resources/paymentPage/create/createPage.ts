import type { IDataObject } from 'n8n-workflow';

import { toOutputValues, type RequestBody } from '../../../../shared/fields/exactJson';
import { isRecord } from '../../../../shared/fields/isRecord';
import type { Envelope } from '../../../../shared/service/api';
import { ExclusiveQueue } from '../../../../shared/exclusiveQueue';
import { failureOf, isInDoubt } from '../../../../shared/service/serviceError';
import type { Options } from '../../../properties/options';
import { declaredRequest, type RequestContext, type Result } from '../../../run/operation';
import { sendWithRetries } from '../../../run/sendWithRetries';
import { pageExists } from '../pageExists';
import { asksFirst, existing } from './ifReferenceExists';
import { isCreated, notCreatedSoFar } from './lostCreate';
import {
	differingFields,
	isOfSameMerchant,
	itemNameOf,
	lostPagesOf,
	pageKey,
	sentPagesOf,
	type SentPage,
} from './sentPages';

/** What one item asks for. */
export interface CreateInput {
	body: RequestBody;
	reference: string;
	/** Whether the reference comes from the name of the page. */
	isDerived: boolean;
}

/**
 * Between the question for a reference and the creation of its page, nobody else in this process may
 * ask: neither another execution nor another call by an agent.
 */
const questions = new ExclusiveQueue();

/**
 * The page that an earlier run of a node, or an earlier call by an agent, has sent without an answer,
 * if this item begins afterwards and sends the same again: in a loop for what failed, say.
 *
 * @param lostPages those of this run: an equal item of one run is none of its tries
 */
function retriedBy(
	page: SentPage,
	earlier: SentPage | undefined,
	lostPages: Map<number, SentPage>,
): SentPage | undefined {
	if (earlier?.lost === undefined || earlier.reference !== page.reference) return undefined;
	if ([...lostPages.values()].includes(earlier)) return undefined;
	return differingFields(earlier.sent, page.sent).length === 0 ? earlier : undefined;
}

/** Creates the page of one item, or finds out that it is there. */
export async function createPage(
	context: RequestContext,
	input: CreateInput,
	options: Options,
): Promise<Result | undefined> {
	const { node, run, credential } = context;
	const item = node.getItemIndex();
	const lostPages = lostPagesOf(run);
	// In another try of "Retry On Fail", the page of the try before is asked for and sent.
	const page: SentPage = lostPages.get(item) ?? {
		by: itemNameOf(context),
		reference: input.reference,
		sent: { merchantId: credential.merchantId, ...input.body },
	};
	const { reference, sent } = page;
	const key = pageKey(credential, reference);
	const sentPages = sentPagesOf(node);

	const done = (result: Result): Result => {
		delete page.lost;
		lostPages.delete(item);
		sentPages.add(key, page);
		return result;
	};
	const recovered = () => done({ output: { ...toOutputValues(sent), recovered: true } });

	const retried = retriedBy(page, sentPages.find(key, page), lostPages);

	const create = async (): Promise<Result | undefined> => {
		// The run may have stopped while the item waited for its turn.
		if (!context.mayStart()) return undefined;
		const lostBefore = page.lost ?? (asksFirst(options) ? undefined : retried?.lost);
		if (lostBefore !== undefined) {
			if (await isCreated(context, reference, lostBefore)) return recovered();
		} else if (asksFirst(options)) {
			const other = sentPages.find(key, page);
			const isOwn = other !== undefined && isOfSameMerchant(other, page);
			const isThere = isOwn && other.reference === reference && other.lost === undefined;
			if (isThere || (await pageExists(context, reference))) {
				const result = existing(page, other, options, input.isDerived);
				// So that a second item with other values is refused in a rerun as it was at first.
				if (other === undefined) sentPages.add(key, Object.assign(page, { wasThere: true }));
				return result;
			}
			if (isOwn && other.lost !== undefined && other !== retried)
				throw notCreatedSoFar(other.reference, other.lost);
		}

		let envelope: Envelope;
		try {
			envelope = await sendWithRetries(context, declaredRequest(context, sent), false);
		} catch (error) {
			const failure = failureOf(error);
			if (!isInDoubt(failure)) throw failure;
			const lost = { error: failure, wasAbsent: asksFirst(options) || lostBefore !== undefined };
			page.lost = lost;
			lostPages.set(item, page);
			sentPages.add(key, page);
			if (await isCreated(context, reference, lost)) return recovered();
			throw notCreatedSoFar(reference, lost);
		}
		const { data } = envelope;
		// Without data, what was sent is all that is known of the page.
		const output =
			isRecord(data) && Object.keys(data).length > 0 ? (data as IDataObject) : toOutputValues(sent);
		return done({ output, envelope });
	};
	return await (asksFirst(options) || retried !== undefined
		? questions.run(key, create)
		: create());
}
