import { byEvent, type StoredExecution } from '../flood/account';
import type { Sent } from '../flood/sendFlood';

/** Counts how often each text is there. */
function countEach(texts: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

/** Who answered an event with 200, if anybody did. */
function answerTo({ status, answer }: Sent): string {
	if (status !== 200) return 'never answered 200';
	// n8n's answer to everything from the connection of its database until it has migrated that.
	if (answer.startsWith('n8n is starting up')) return 'answered 200, "n8n is starting up"';
	return answer.includes('"repeated":true') ? 'answered 200, repeated' : 'answered 200';
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
	const ofEvents = sent.map((each) => {
		const statuses = (found.get(each.event.id) ?? []).map(({ status }) => status).sort();
		return `${answerTo(each)}: ${statuses.join(' + ') || 'no execution'}`;
	});
	const withoutEvent = executions
		.filter(({ eventIds }) => eventIds.length === 0)
		.map(({ status }) => `executions without an event: ${status}`);
	return countEach([...ofEvents, ...withoutEvent]);
}

/** How many events that the trigger was given and answered 200 are in no execution, not even a nameless one. */
export function lostEvents(outcomes: ReadonlyMap<string, number>): number {
	const nameless = [...outcomes]
		.filter(([outcome]) => outcome.startsWith('executions without an event'))
		.reduce((sum, [, count]) => sum + count, 0);
	const lost = ['answered 200', 'answered 200, repeated']
		.map((answer) => outcomes.get(`${answer}: no execution`) ?? 0)
		.reduce((sum, count) => sum + count);
	return Math.max(0, lost - nameless);
}
