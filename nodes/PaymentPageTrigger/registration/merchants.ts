import type { ServiceCredential } from '../../shared/credential';
import { ExclusiveQueue } from '../../shared/queue';
import { LimitedMap } from '../limitedMap';

/** An address that was registered to stay: of a published trigger, or a fallback URL. */
export interface Holder {
	/** Identity of the trigger's node; undefined for a fallback URL. */
	node?: string;
	/** With its token, if it has one. */
	url: string;
	secret: string;
}

/**
 * What this process knows of a merchant's one webhook address. All hooks run in n8n's main process,
 * so here its changes meet.
 */
export interface Merchant {
	/** What was registered last, tests left aside. */
	holder?: Holder;
	/** The test that has taken the address over, by its ID. */
	borrower?: string;
	/** Whether the holder still has to be registered: a change that was announced later may fail. */
	isOwed?: boolean;
	/** How many changes were announced. */
	changes: number;
	/** Names it in the queue of changes. */
	readonly key: string;
}

const merchants = new LimitedMap<string, Merchant>(1_000);

/** @param merchantId its digits */
export function findMerchant(baseUrl: string, merchantId: string): Merchant {
	const key = `${baseUrl} ${merchantId}`;
	const merchant = merchants.get(key) ?? { changes: 0, key };
	merchants.set(key, merchant);
	return merchant;
}

export function merchantOf({ baseUrl, merchantId }: ServiceCredential): Merchant {
	return findMerchant(baseUrl, merchantId.digits);
}

/**
 * Announces a change of a merchant's address: of several, the one announced last is to win.
 *
 * @returns tells whether it still is the last
 */
export function announceChange(merchant: Merchant): () => boolean {
	const number = ++merchant.changes;
	return () => merchant.changes === number;
}

const queue = new ExclusiveQueue();

/** Carries a change out after those that were started before. */
export async function runExclusive<Result>(
	{ key }: Merchant,
	change: () => Promise<Result>,
): Promise<Result> {
	return await queue.run(key, change);
}
