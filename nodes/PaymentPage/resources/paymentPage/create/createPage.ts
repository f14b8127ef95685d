import type { IDataObject } from 'n8n-workflow';

import { toOutputValues, type RequestBody } from '../../../../shared/exactJson';
import { isRecord } from '../../../../shared/values';
import type { Envelope } from '../../../../shared/service/api';
import { ExclusiveQueue } from '../../../../shared/queue';
import { failureOf, isInDoubt } from '../../../../shared/errors';
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
	type LostAnswer,
	type SentPage,
	type SentPages,
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

/** The create of one item: what it sends, and what is known of it. */
class PageCreation {
	private readonly item: number;

	private readonly lostPages: Map<number, SentPage>;

	private readonly sentPages: SentPages;

	private readonly page: SentPage;

	/** The page of an earlier run that this item repeats. */
	private readonly retried: SentPage | undefined;

	/** Equal for pages that one question may be about. */
	private readonly key: string;

	constructor(
		private readonly context: RequestContext,
		private readonly input: CreateInput,
		private readonly options: Options,
	) {
		const { node, run, credential } = context;
		this.item = node.getItemIndex();
		this.lostPages = lostPagesOf(run);
		this.sentPages = sentPagesOf(node);
		// In another try of "Retry On Fail", the page of the try before is asked for and sent.
		this.page = this.lostPages.get(this.item) ?? {
			by: itemNameOf(context),
			reference: input.reference,
			sent: { merchantId: credential.merchantId, ...input.body },
		};
		this.key = pageKey(credential, this.page.reference);
		this.retried = retriedBy(this.page, this.sentPages.find(this.key, this.page), this.lostPages);
	}

	async perform(): Promise<Result | undefined> {
		const mayAsk = asksFirst(this.options) || this.retried !== undefined;
		return await (mayAsk
			? questions.run(this.key, async () => await this.askAndCreate())
			: this.askAndCreate());
	}

	/** @returns undefined when the run stopped while the item waited for its turn */
	private async askAndCreate(): Promise<Result | undefined> {
		if (!this.context.mayStart()) return undefined;
		const asks = asksFirst(this.options);
		const lost = this.page.lost ?? (asks ? undefined : this.retried?.lost);
		if (lost !== undefined) {
			const { reference } = this.page;
			const isThere = await isCreated(this.context, reference, lost);
			return isThere ? this.recovered() : await this.create(true);
		}
		if (!asks) return await this.create(false);
		return (await this.findExisting()) ?? (await this.create(true));
	}

	/** @returns undefined when there is no page with the reference */
	private async findExisting(): Promise<Result | undefined> {
		const { page, key, sentPages } = this;
		const other = sentPages.find(key, page);
		const isOwn = other !== undefined && isOfSameMerchant(other, page);
		const isThere = isOwn && other.reference === page.reference && other.lost === undefined;
		if (isThere || (await pageExists(this.context, page.reference))) {
			const result = existing(page, other, this.options, this.input.isDerived);
			// So that a second item with other values is rejected in a rerun as it was at first.
			if (other === undefined) sentPages.add(key, Object.assign(page, { wasThere: true }));
			return result;
		}
		if (isOwn && other.lost !== undefined && other !== this.retried) {
			throw notCreatedSoFar(other.reference, other.lost);
		}
		return undefined;
	}

	/** @param wasAbsent whether the service has just said that there is no such page */
	private async create(wasAbsent: boolean): Promise<Result> {
		const { context, page } = this;
		const request = declaredRequest(context, page.sent);
		let envelope: Envelope;
		try {
			envelope = await sendWithRetries(context, request, false);
		} catch (error) {
			const failure = failureOf(error);
			if (!isInDoubt(failure)) throw failure;
			return await this.settle({ error: failure, wasAbsent });
		}
		const { data } = envelope;
		const isPage = isRecord(data) && Object.keys(data).length > 0;
		// Without data, what was sent is all that is known of the page.
		return this.done({
			output: isPage ? (data as IDataObject) : toOutputValues(page.sent),
			envelope,
		});
	}

	/** The response was lost: only the service knows whether the page is there. */
	private async settle(lost: LostAnswer): Promise<Result> {
		const { context, page } = this;
		page.lost = lost;
		this.lostPages.set(this.item, page);
		this.sentPages.add(this.key, page);
		if (await isCreated(context, page.reference, lost)) return this.recovered();
		throw notCreatedSoFar(page.reference, lost);
	}

	private recovered(): Result {
		return this.done({ output: { ...toOutputValues(this.page.sent), recovered: true } });
	}

	private done(result: Result): Result {
		delete this.page.lost;
		this.lostPages.delete(this.item);
		this.sentPages.add(this.key, this.page);
		return result;
	}
}

/** Creates the page of one item, or finds out that it is there. */
export async function createPage(
	context: RequestContext,
	input: CreateInput,
	options: Options,
): Promise<Result | undefined> {
	return await new PageCreation(context, input, options).perform();
}
