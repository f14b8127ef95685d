import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Postgres } from '../../scripts/queue/postgres';
import { waitFor } from '../../scripts/shared/waitFor';
import type { StoredExecution } from './account';
import { idPattern } from './floodEvents';

/** n8n's database, read past n8n: its REST API gives one execution at a time. */
export interface ExecutionDatabase {
	/** All executions of a workflow. */
	executions(workflowId: string): Promise<StoredExecution[]>;
	/** How many executions of a workflow there are, by their status. */
	statuses(workflowId: string): Promise<Map<string, number>>;
}

const countStatuses = (workflowId: string) =>
	`SELECT status, count(*) AS count FROM execution_entity WHERE "workflowId" = '${workflowId}' GROUP BY status`;

/** SQLite, as n8n uses it by default. */
export function sqliteDatabase(userFolder: string): ExecutionDatabase {
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	function read<T>(work: (database: DatabaseSync) => T): T {
		const database = new DatabaseSync(file, { readOnly: true });
		try {
			return work(database);
		} finally {
			database.close();
		}
	}
	return {
		executions: async (workflowId) =>
			read((database) => {
				const rows = database
					.prepare(
						'SELECT id, status, data FROM execution_entity LEFT JOIN execution_data ON id = executionId WHERE workflowId = ?',
					)
					.iterate(workflowId);
				return Array.from(rows, ({ id, status, data }) => ({
					id: String(id),
					status: String(status),
					eventIds: [...new Set(String(data).match(new RegExp(idPattern, 'g')))],
				}));
			}),
		statuses: async (workflowId) =>
			read((database) => {
				const rows = database.prepare(countStatuses(workflowId)).all();
				return new Map(rows.map(({ status, count }) => [String(status), Number(count)]));
			}),
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

/** Waits until no execution of a workflow waits or runs. */
export async function untilSettled(
	database: ExecutionDatabase,
	workflowId: string,
	timeoutMilliseconds = 30 * 60_000,
): Promise<void> {
	await waitFor(
		async () => {
			const statuses = await database.statuses(workflowId);
			return !statuses.has('new') && !statuses.has('running');
		},
		{
			what: `all executions of workflow ${workflowId} to end`,
			timeoutMilliseconds,
			intervalMilliseconds: 500,
		},
	);
}
