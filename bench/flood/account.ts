import type { Sent } from './sendFlood';

/** An execution in n8n's database. */
export interface StoredExecution {
	id: string;
	status: string;
	/** The ids of events that its data holds. */
	eventIds: string[];
}

/** The executions that hold an event, by its id. */
export function byEvent(executions: readonly StoredExecution[]): Map<string, StoredExecution[]> {
	const found = new Map<string, StoredExecution[]>();
	for (const execution of executions) {
		for (const id of execution.eventIds) found.set(id, [...(found.get(id) ?? []), execution]);
	}
	return found;
}

/**
 * What is wrong after a flood in which nothing was disturbed: each genuine event should be answered
 * 200 and have one execution, which succeeded; each forged one should be answered 401 and have none.
 */
export function faultsOf(sent: readonly Sent[], executions: readonly StoredExecution[]): string[] {
	const found = byEvent(executions);
	const faults = sent.flatMap(({ event: { id, forgery }, status }) => {
		const statuses = (found.get(id) ?? []).map((execution) => execution.status);
		const expected = forgery ? { status: 401, statuses: '' } : { status: 200, statuses: 'success' };
		if (status === expected.status && statuses.join() === expected.statuses) return [];
		const kind = forgery ?? 'genuine';
		return `${id} (${kind}) was answered ${status ?? 'nothing'} and has executions: ${statuses.join() || 'none'}`;
	});
	const sentIds = new Set(sent.map(({ event }) => event.id));
	const strange = executions.flatMap(({ id, eventIds }) =>
		eventIds.length === 1 && sentIds.has(eventIds[0] ?? '')
			? []
			: `execution ${id} holds ${eventIds.join() || 'no event'}`,
	);
	return [...faults, ...strange];
}
