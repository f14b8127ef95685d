import type { StoredExecution } from '../shared/executions';
import type { Sent } from './send';

/** How often each outcome came about. */
export type Outcomes = Map<string, number>;

const nameless = 'executions without an event';

/** How an event was answered last. */
function answerTo({ event: { forgery }, status, answer }: Sent): string {
	// n8n's answer to everything from the connection of its database until it has migrated that.
	const who = answer.startsWith('n8n is starting up') ? ', "n8n is starting up"' : '';
	return `${forgery ? 'forged, ' : ''}answered ${status ?? 'nothing'}${who}`;
}

/**
 * What became of each event, and how often: how its sender was answered last, and the statuses of all
 * executions that hold it. Then the executions that hold no event.
 */
export function outcomesOf(
	sent: readonly Sent[],
	executions: readonly StoredExecution[],
): Outcomes {
	const statuses = new Map<string, string[]>();
	for (const { status, eventIds } of executions) {
		for (const id of eventIds) statuses.set(id, [...(statuses.get(id) ?? []), status]);
	}
	const texts = [
		...sent.map((each) => {
			const found = statuses.get(each.event.id)?.toSorted().join(' + ');
			return `${answerTo(each)}: ${found ?? 'no execution'}`;
		}),
		...executions
			.filter(({ eventIds }) => eventIds.length === 0)
			.map(({ status }) => `${nameless}: ${status}`),
	];
	const outcomes: Outcomes = new Map();
	for (const text of texts) outcomes.set(text, (outcomes.get(text) ?? 0) + 1);
	return outcomes;
}

/**
 * What should not be, whatever happened to n8n: a forged event that was accepted or is in an execution,
 * a genuine one that was rejected, and events that were answered 200 and are in no execution, not even
 * in a nameless one.
 */
export function faultsOf(outcomes: Outcomes): string[] {
	const count = (isMeant: (outcome: string) => boolean): number =>
		[...outcomes].reduce((sum, [outcome, times]) => sum + (isMeant(outcome) ? times : 0), 0);
	const accepted = count(
		(outcome) =>
			outcome.startsWith('forged') &&
			(outcome.includes('answered 200') || !outcome.endsWith('no execution')),
	);
	const rejected = count((outcome) => outcome.startsWith('answered 401'));
	const unseen = outcomes.get('answered 200: no execution') ?? 0;
	const lost = Math.max(0, unseen - count((outcome) => outcome.startsWith(nameless)));
	return [
		...(accepted > 0 ? [`${accepted} forged events were accepted.`] : []),
		...(rejected > 0 ? [`${rejected} genuine events were rejected.`] : []),
		...(lost > 0 ? [`${lost} events that were answered 200 are in no execution.`] : []),
	];
}

/** All that is not as it should be where nothing was disturbed. */
export function faultsUndisturbed(outcomes: Outcomes): string[] {
	const expected = ['answered 200: success', 'forged, answered 401: no execution'];
	return [...outcomes].flatMap(([outcome, count]) =>
		expected.includes(outcome) ? [] : `${count} times ${outcome}.`,
	);
}
