import { sleep, type Logger } from 'n8n-workflow';

import { isInDoubt, ServiceError } from '../../shared/errors';
import { ExclusiveQueue, LimitedMap } from '../../shared/queue';
import { describeError } from './registerUrl';

/** An address that somebody wants the service to have. */
export interface Registration {
	/** Identity of the trigger; undefined for a fallback URL. */
	owner?: string;
	/** For messages: without its token. */
	address: string;
	/** Milliseconds since 1970: when a person asked for it. */
	at: number;
	/** Milliseconds since 1970: it is not sent before. */
	from?: number;
	/**
	 * Sends it, with the credential as it was then.
	 *
	 * @throws ServiceError
	 */
	register: () => Promise<void>;
	logger: Logger;
}

/**
 * What a process knows of a merchant's one webhook address. It is forgotten when the process ends, and
 * when a thousand other merchants were met since. All hooks run in n8n's main process, so there its
 * changes meet.
 */
export interface Merchant {
	/** Names it in the queue of changes. */
	readonly key: string;
	/** What the service should have; undefined after a restart, and when nobody wants anything. */
	wanted?: Registration | undefined;
	/** What it surely has; undefined when that is in doubt. */
	known?: Registration | undefined;
	/** The loop that settles; an earlier one ends when it sees another here. */
	loop?: object;
}

const merchants = new LimitedMap<string, Merchant>(1_000);

/** @param key fingerprint of the merchant */
export function merchantOf(key: string): Merchant {
	const merchant = merchants.get(key) ?? { key };
	merchants.set(key, merchant);
	return merchant;
}

const queue = new ExclusiveQueue();

/**
 * One try. What the service knows is in doubt until it has said so.
 *
 * @returns what `register` threw, if it did
 */
async function tryOnce(merchant: Merchant, registration: Registration): Promise<unknown> {
	const before = merchant.known;
	merchant.known = undefined;
	const error: unknown = await registration.register().then(
		() => undefined,
		(failure: unknown) => failure ?? new Error(),
	);
	const isUnchanged = error instanceof ServiceError && !isInDoubt(error);
	if (error === undefined) merchant.known = registration;
	else merchant.known = isUnchanged ? before : undefined;
	return error;
}

/**
 * Registers what a person waits for, once. If it fails, what was wanted before is still wanted.
 *
 * @returns what `register` threw, if it did
 */
export async function change(merchant: Merchant, registration: Registration): Promise<unknown> {
	return await queue.run(merchant.key, async () => {
		const error = await tryOnce(merchant, registration);
		if (error === undefined) merchant.wanted = registration;
		else void settle(merchant);
		return error;
	});
}

/** Milliseconds before the second try; it doubles with each, up to the longest. */
const firstWait = 500;
const longestWait = 300_000;

/** Tries until the service has what is wanted, or rejects it. Nobody waits for it; it never throws. */
export async function settle(merchant: Merchant): Promise<void> {
	const loop = {};
	merchant.loop = loop;
	for (let retry = 0; merchant.loop === loop; retry++) {
		const { wanted } = merchant;
		if (wanted === undefined || wanted === merchant.known) return;
		const early = (wanted.from ?? 0) - Date.now();
		if (early > 0) {
			await sleep(early);
			continue;
		}
		const error = await queue.run(merchant.key, async () => {
			if (merchant.wanted !== wanted || merchant.known === wanted) return undefined;
			return await tryOnce(merchant, wanted);
		});
		if (error === undefined) continue;
		const isRejected = !(error instanceof ServiceError) || error.details.kind === 'rejected';
		if (isRejected || retry === 0) {
			const next = isRejected
				? 'Unpublish and publish the workflow that should receive them.'
				: 'n8n keeps trying.';
			wanted.logger.error(
				`Payment Page Trigger: ${wanted.address} could not be registered, so it may receive no events. ${describeError(error)} ${next}`,
			);
		}
		if (isRejected) return;
		await sleep(Math.min(firstWait * 2 ** retry, longestWait));
	}
}

/** A genuine event came to an address: this is what the service has, unless a later one is known. */
export function noteReceiver(merchant: Merchant, registration: Registration): void {
	if (merchant.wanted !== undefined && merchant.wanted.at >= registration.at) return;
	merchant.wanted = registration;
	merchant.known = registration;
}

/** What is known to have the address in the place of a trigger that was registered at a time. */
export function otherReceiver(
	{ wanted, known }: Merchant,
	owner: string,
	at: number,
): Registration | undefined {
	return [wanted, known].find(
		(other) => other !== undefined && other.owner !== owner && other.at > at,
	);
}
