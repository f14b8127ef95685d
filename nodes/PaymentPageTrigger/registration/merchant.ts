import { sleep, type Logger } from 'n8n-workflow';

import { isInDoubt, ServiceError } from '../../shared/errors';
import { LimitedMap, Limiter } from '../../shared/queue';
import type { NodeContext, TriggerCredential } from '../memory';
import { describeError, registerUrl } from './registerUrl';

/** An address that somebody wants the service to have. */
export interface Registration {
	owner: string | undefined; // identity of the trigger; a fallback URL has none
	address: string; // for messages: without its token
	at: number; // milliseconds since 1970: when a person asked for it
	from?: number; // milliseconds since 1970: it is not sent before
	register: () => Promise<void>; // sends it, with the credential as it was then
	logger: Logger;
}

export function registrationOf(
	node: NodeContext,
	credential: TriggerCredential,
	url: string,
	at: number,
	trigger?: { identity: string },
): Registration {
	const register = async () => await registerUrl(node, credential, url);
	const [address = url] = url.split('?');
	return { owner: trigger?.identity, address, at, register, logger: node.logger };
}

/**
 * What a process knows of a merchant's one webhook address, until it ends or has met a thousand
 * other merchants since. All hooks run in n8n's main process (fact 37), so changes meet there.
 */
export interface Merchant {
	readonly queue: Limiter; // one request at a time
	wanted?: Registration | undefined; // what the service should have; after a restart, nothing
	known?: Registration | undefined; // what it surely has, unless that is in doubt
	loop?: object; // the one that settles; an earlier one ends when it sees another here
}

const merchants = new LimitedMap<string, Merchant>(1_000);

export function merchantOf(key: string): Merchant {
	const merchant = merchants.get(key) ?? { queue: new Limiter(1) };
	merchants.set(key, merchant);
	return merchant;
}

/** One try. Until the service has answered, what it has is in doubt. */
async function tryOnce(merchant: Merchant, registration: Registration): Promise<void> {
	const before = merchant.known;
	merchant.known = undefined;
	await registration.register().catch((error: unknown) => {
		if (error instanceof ServiceError && !isInDoubt(error)) merchant.known = before;
		throw error;
	});
	merchant.known = registration;
}

/** Registers what a person waits for, once. If that fails, what was wanted before is still wanted. */
export async function change(merchant: Merchant, registration: Registration): Promise<void> {
	await merchant.queue.run(async () => {
		try {
			await tryOnce(merchant, registration);
			merchant.wanted = registration;
		} finally {
			void settle(merchant);
		}
	});
}

/** Tries until the service has what is wanted, or rejects it, in the background. It never throws. */
export async function settle(merchant: Merchant): Promise<void> {
	const loop = {};
	merchant.loop = loop;
	for (let retry = 0; merchant.loop === loop; retry++) {
		const { wanted } = merchant;
		if (wanted === undefined || wanted === merchant.known) return;
		const early = (wanted.from ?? 0) - Date.now();
		if (early > 0) {
			await sleep(early);
			retry = -1;
			continue;
		}
		try {
			await merchant.queue.run(async () => {
				const isOver = merchant.wanted !== wanted || merchant.known === wanted;
				if (!isOver) await tryOnce(merchant, wanted);
			});
		} catch (error) {
			const isRejected = !(error instanceof ServiceError) || error.details.kind === 'rejected';
			const next = isRejected ? 'Unpublish and publish its workflow.' : 'n8n keeps trying.';
			const text = `${wanted.address} could not be registered, so it may receive no events.`;
			if (isRejected || retry === 0) {
				wanted.logger.error(`Payment Page Trigger: ${text} ${describeError(error)} ${next}`);
			}
			if (isRejected) return;
			await sleep(Math.min(500 * 2 ** retry, 300_000)); // up to five minutes
		}
	}
}

/** A genuine event came to an address, so the service has it, unless a later one is known. */
export function noteReceiver(merchant: Merchant, registration: Registration): void {
	const isLater = (other?: Registration) => other !== undefined && other.at >= registration.at;
	if (isLater(merchant.wanted) || isLater(merchant.known)) return;
	merchant.wanted = registration;
	merchant.known = registration;
}

/** Who has taken the merchant's address over from a trigger that was registered at a time. */
export function otherReceiver({ wanted, known }: Merchant, owner: string, at: number) {
	return [wanted, known].find((other) => other && other.owner !== owner && other.at > at);
}
