import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { nodeIdentity } from '../nodeIdentity';

/** How long a delivery is remembered, in seconds. */
const memory = 24 * 60 * 60;

/** How many deliveries are remembered; the oldest are forgotten first. */
const mostRemembered = 1_000;

const key = 'deliveries';

/**
 * Fingerprint of a delivery's bytes, and when it came (seconds of the clock). Short, because n8n
 * copies static data into the record of every execution.
 */
type Seen = Array<[fingerprint: string, receivedAt: number]>;

/**
 * What this process has seen, by the node: static data reaches the database only after the answer,
 * so two equal deliveries at the same moment would not see each other there.
 */
const seenByNode = new Map<string, Seen>();

type RememberingNode = Pick<IWebhookFunctions, 'getWorkflow' | 'getNode' | 'getWorkflowStaticData'>;

function readSeen(staticData: IDataObject): Seen {
	const value = staticData[key];
	return Array.isArray(value) ? (value as unknown as Seen) : [];
}

function fingerprintOf(rawBody: Buffer): string {
	return createHash('sha256').update(rawBody).digest('base64').slice(0, 16);
}

/**
 * Remembers a delivery.
 *
 * @param now milliseconds of the clock
 * @returns whether the same bytes arrived within the last 24 hours
 */
export function isRepeated(node: RememberingNode, rawBody: Buffer, now: number): boolean {
	const fingerprint = fingerprintOf(rawBody);
	const seconds = Math.floor(now / 1000);
	const staticData = node.getWorkflowStaticData('node');
	const identity = nodeIdentity(node);
	const known = new Map([...readSeen(staticData), ...(seenByNode.get(identity) ?? [])]);
	const receivedAt = known.get(fingerprint);
	if (receivedAt !== undefined && seconds - receivedAt < memory) return true;
	known.set(fingerprint, seconds);
	const seen = [...known]
		.filter(([, time]) => seconds - time < memory)
		.sort(([, left], [, right]) => left - right)
		.slice(-mostRemembered);
	seenByNode.set(identity, seen);
	staticData[key] = seen;
	return false;
}

/** Forgets a delivery that came to nothing: it may come again. */
export function forget(node: RememberingNode, rawBody: Buffer): void {
	const fingerprint = fingerprintOf(rawBody);
	const identity = nodeIdentity(node);
	const seen = seenByNode.get(identity) ?? [];
	seenByNode.set(
		identity,
		seen.filter(([remembered]) => remembered !== fingerprint),
	);
}
