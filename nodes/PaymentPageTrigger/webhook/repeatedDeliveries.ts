import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { LimitedMap } from '../limitedMap';
import type { TriggerNode } from '../triggerNode';
import type { Fate } from '../http';

/** How long a delivery is remembered, in seconds. */
const memory = 24 * 60 * 60;

/** How many deliveries are remembered; the oldest are forgotten first. */
const maxRemembered = 1_000;

/**
 * Milliseconds after which n8n has failed to store an event if it ever does: it waits 20 s for a
 * connection to its database and 5 minutes for a statement. An event that is not answered by then is
 * stored, and waits until n8n may execute it (n8n facts, "Triggers").
 */
const decidedAfter = 6 * 60 * 1000;

/**
 * Fingerprint of a delivery's bytes, and when it came (seconds of the clock). Short, because n8n
 * copies static data into the record of every execution.
 */
type Seen = Array<[fingerprint: string, receivedAt: number]>;

/**
 * What this process has seen, by node: static data reaches the database only after the answer, so two
 * equal deliveries at the same moment would not see each other there.
 */
interface Memory {
	/** Deliveries that were accepted. */
	seen: Seen;
	/** Those whose sender waits for the answer: what becomes of them. */
	pending: Map<string, Promise<Fate>>;
	/** Those whose sender was gone before: what has become of them by a time. */
	undecided: LimitedMap<string, (now: number) => Fate>;
}

const memories = new LimitedMap<string, Memory>(1_000);

/** The node to which deliveries come. */
type Receiver = Pick<TriggerNode, 'identity' | 'staticData'>;

function memoryOf({ identity }: Receiver): Memory {
	const memory = memories.get(identity) ?? {
		seen: [],
		pending: new Map(),
		undecided: new LimitedMap(maxRemembered),
	};
	memories.set(identity, memory);
	return memory;
}

function readSeen(staticData: IDataObject): Seen {
	const value = staticData.deliveries;
	return Array.isArray(value) ? (value as unknown as Seen) : [];
}

/** What anybody can send must not pass for the genuine event: it has a fingerprint of its own. */
function fingerprintOf(rawBody: Buffer, isVerified: boolean): string {
	const fingerprint = createHash('sha256').update(rawBody).digest('base64').slice(0, 16);
	return isVerified ? fingerprint : `?${fingerprint}`;
}

/**
 * The newest of several lists, each once. Those of verified events go last and so stay longest:
 * nobody else can crowd them out.
 */
function newest(lists: Seen[], seconds: number): Seen {
	const fresh = [...new Map(lists.flat())].filter(([, time]) => seconds - time < memory);
	const isForeign = ([fingerprint]: Seen[number]) => fingerprint.startsWith('?');
	const genuine = fresh.filter((delivery) => !isForeign(delivery));
	return [...fresh.filter(isForeign), ...genuine].slice(-maxRemembered);
}

/** A delivery as it is remembered. */
export interface Delivery {
	rawBody: Buffer;
	isVerified: boolean;
	/** Milliseconds of the clock. */
	now: number;
	/** Calls back when it is answered, or its sender is gone. */
	onClose: (callback: (fateOf: () => Fate) => void) => void;
}

/**
 * Whether a delivery came before. While n8n may still fail to store the earlier one, whose sender is
 * gone, it is `undecided`: neither a second execution nor the answer that it was received would be right.
 */
export type Repetition = 'first' | 'repeated' | 'undecided';

/**
 * Remembers a delivery. If n8n then fails to store its execution, it is forgotten: it comes again.
 *
 * @returns whether the same bytes were accepted within the last 24 hours; a verified event is
 *   repeated only by another verified one
 */
export async function repetitionOf(
	receiver: Receiver,
	{ rawBody, isVerified, now, onClose }: Delivery,
): Promise<Repetition> {
	const own = fingerprintOf(rawBody, isVerified);
	const verified = fingerprintOf(rawBody, true);
	const { pending, undecided } = memoryOf(receiver);
	for (let earlier; (earlier = pending.get(own) ?? pending.get(verified)); ) {
		if ((await earlier) === 'stored') return 'repeated';
	}
	const fate = (undecided.get(own) ?? undecided.get(verified))?.(now);
	if (fate === 'undecided') return 'undecided';
	if (fate === 'stored') return 'repeated';
	const seconds = Math.floor(now / 1000);
	const { staticData } = receiver;
	const seen = newest([readSeen(staticData), memoryOf(receiver).seen], seconds);
	if (seen.some(([fingerprint]) => fingerprint === own || fingerprint === verified)) {
		return 'repeated';
	}

	// n8n stores static data only if it has stored the execution, too; so it can be written now.
	staticData.deliveries = newest([seen, [[own, seconds]]], seconds);
	let settle: (fate: Fate) => void = () => {};
	pending.set(own, new Promise<Fate>((resolve) => (settle = resolve)));
	onClose((fateOf) => {
		const memory = memoryOf(receiver);
		const current = fateOf();
		pending.delete(own);
		undecided.delete(own);
		if (current === 'undecided') {
			memory.undecided.set(own, (later) => {
				const fate = fateOf();
				return fate === 'undecided' && later - now >= decidedAfter ? 'stored' : fate;
			});
		}
		if (current === 'stored') memory.seen = newest([memory.seen, [[own, seconds]]], seconds);
		settle(current);
	});
	return 'first';
}

/** When the option is off: what is remembered would come back with it, and be out of date. */
export function forgetDeliveries({ identity, staticData }: Receiver): void {
	memories.delete(identity);
	if (staticData.deliveries !== undefined) delete staticData.deliveries;
}
