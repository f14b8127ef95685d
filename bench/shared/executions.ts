import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Postgres } from '../../scripts/queue/servers';
import { waitFor } from '../../scripts/shared/waitFor';
import { idPattern } from './events';

/** An execution in n8n's database. */
export interface StoredExecution {
	id: string;
	status: string;
	eventIds: string[]; // the ids of events that its data holds
}

/** n8n's database, read past n8n: its REST API gives one execution at a time. */
export interface ExecutionDatabase {
	/** All executions of a workflow. */
	executions(workflowId: string): Promise<StoredExecution[]>;
	/** How many executions of a workflow there are, by their status. */
	statuses(workflowId: string): Promise<Map<string, number>>;
}

const countStatuses = (workflowId: string) =>
	`SELECT status, count(*) AS count FROM execution_entity WHERE "workflowId" = '${workflowId}' GROUP BY status ORDER BY status`;

/** SQLite, as n8n uses it by default. */
export function sqliteDatabase(userFolder: string): ExecutionDatabase {
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	const read = (sql: string) => {
		const database = new DatabaseSync(file, { readOnly: true });
		try {
			return database.prepare(sql).all();
		} finally {
			database.close();
		}
	};
	return {
		executions: async (workflowId) =>
			read(
				`SELECT id, status, data FROM execution_entity LEFT JOIN execution_data ON id = executionId WHERE workflowId = '${workflowId}'`,
			).map(({ id, status, data }) => ({
				id: String(id),
				status: String(status),
				eventIds: [...new Set(String(data).match(new RegExp(idPattern, 'g')))],
			})),
		statuses: async (workflowId) =>
			new Map(
				read(countStatuses(workflowId)).map(({ status, count }) => [String(status), Number(count)]),
			),
	};
}

/** PostgreSQL, in queue mode; it looks for the ids itself, since the data are long. */
export function postgresDatabase(postgres: Postgres): ExecutionDatabase {
	return {
		async executions(workflowId) {
			const rows = await postgres.query(
				`SELECT id, status, (SELECT string_agg(DISTINCT found[1], ',') FROM regexp_matches(data, '${idPattern}', 'g') AS found) FROM execution_entity LEFT JOIN execution_data ON id = "executionId" WHERE "workflowId" = '${workflowId}'`,
			);
			return rows.map(([id = '', status = '', ids = '']) => ({
				id,
				status,
				eventIds: ids === '' ? [] : ids.split(','),
			}));
		},
		async statuses(workflowId) {
			const rows = await postgres.query(countStatuses(workflowId));
			return new Map(rows.map(([status = '', count]) => [status, Number(count)]));
		},
	};
}

/**
 * Waits until no execution of these workflows waits or runs, or, after what may have lost some, until
 * n8n has left them as they are for `patience` milliseconds.
 */
export async function untilSettled(
	database: ExecutionDatabase,
	workflowIds: readonly string[],
	patience = Infinity,
): Promise<void> {
	let last = '';
	let lastChange = Date.now();
	await waitFor(
		async () => {
			const statuses = await Promise.all(workflowIds.map((id) => database.statuses(id)));
			const now = JSON.stringify(statuses.map((each) => [...each]));
			if (now !== last) [last, lastChange] = [now, Date.now()];
			const isSettled = statuses.every((each) => !each.has('new') && !each.has('running'));
			return isSettled || Date.now() - lastChange > patience;
		},
		{ what: 'all executions to end', timeoutMilliseconds: 3_600_000, intervalMilliseconds: 500 },
	);
}
