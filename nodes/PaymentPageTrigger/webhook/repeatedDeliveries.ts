import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { nodeIdentity } from '../nodeIdentity';

/** How long a delivery is remembered, in milliseconds. */
const memory = 24 * 60 * 60 * 1000;

/** How many deliveries are remembered; the oldest are forgotten first. */
const mostRemembered = 1_000;

const key = 'deliveries';

/** Fingerprint of a delivery's bytes, and when it came (milliseconds of the clock). */
type Seen = Array<[fingerprint: string, receivedAt: number]>;

/**
 * What this process has seen, by the node: static data reaches the database only after the answer,
 * so two equal deliveries at the same moment would not see each other there.
 */
const seenByNode = new Map<string, Seen>();

function readSeen(staticData: IDataObject): Seen {
	const value = staticData[key];
	return Array.isArray(value) ? (value as unknown as Seen) : [];
}

/**
 * Remembers a delivery.
 *
 * @param now milliseconds of the clock
 * @returns whether the same bytes arrived within the last 24 hours
 */
export function isRepeated(
	node: Pick<IWebhookFunctions, 'getWorkflow' | 'getNode' | 'getWorkflowStaticData'>,
	rawBody: Buffer,
	now: number,
): boolean {
	const fingerprint = createHash('sha256').update(rawBody).digest('base64').slice(0, 22);
	const staticData = node.getWorkflowStaticData('node');
	const identity = nodeIdentity(node);
	const known = new Map([...readSeen(staticData), ...(seenByNode.get(identity) ?? [])]);
	const receivedAt = known.get(fingerprint);
	if (receivedAt !== undefined && now - receivedAt < memory) return true;
	known.set(fingerprint, now);
	const seen = [...known]
		.filter(([, time]) => now - time < memory)
		.sort(([, left], [, right]) => left - right)
		.slice(-mostRemembered);
	seenByNode.set(identity, seen);
	staticData[key] = seen;
	return false;
}
