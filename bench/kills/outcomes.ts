import { byEvent, type StoredExecution } from '../flood/account';
import type { Sent } from '../flood/sendFlood';

/** Counts how often each text is there. */
function countEach(texts: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

/**
 * What became of each event, and how often: how its sender was answered last, and the statuses of all
 * executions that hold it. Then the executions that hold no event.
 */
export function outcomesOf(
	sent: readonly Sent[],
	executions: readonly StoredExecution[],
): Map<string, number> {
	const found = byEvent(executions);
	const ofEvents = sent.map(({ event, status }) => {
		const statuses = (found.get(event.id) ?? []).map((execution) => execution.status).sort();
		const answer = status === 200 ? 'answered 200' : 'never answered 200';
		return `${answer}: ${statuses.join(' + ') || 'no execution'}`;
	});
	const withoutEvent = executions
		.filter(({ eventIds }) => eventIds.length === 0)
		.map(({ status }) => `executions without an event: ${status}`);
	return countEach([...ofEvents, ...withoutEvent]);
}

/** How many events that were answered 200 are in no execution at all, not even a nameless one. */
export function lostEvents(outcomes: ReadonlyMap<string, number>): number {
	const nameless = [...outcomes]
		.filter(([outcome]) => outcome.startsWith('executions without an event'))
		.reduce((sum, [, count]) => sum + count, 0);
	return Math.max(0, (outcomes.get('answered 200: no execution') ?? 0) - nameless);
}
