import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { N8nSession } from './session';

export type DataTableRow = Record<string, string | number | boolean | null>;

type UploadedFile = { id: string; columns: Array<{ name: string; type: string }> };

/** n8n's data tables in one project, by the name that people see. */
export class DataTables {
	constructor(
		private readonly session: N8nSession,
		projectId: string,
		private readonly path = `/projects/${projectId}/data-tables`,
	) {}

	/** All that a table holds, or all tables: at most 250. */
	private async list<T>(path = this.path, query = {}): Promise<T[]> {
		const all = { take: 250, ...query };
		return (await this.session.request<{ data: T[] }>('get', path, undefined, all)).data;
	}

	private async find(name: string): Promise<string | undefined> {
		const all = await this.list<{ id: string; name: string }>();
		const found = all.find((table) => table.name === name);
		return found && `${this.path}/${found.id}`;
	}

	private async pathOf(name: string): Promise<string> {
		const found = await this.find(name);
		if (found === undefined) throw new Error(`n8n has no data table "${name}".`);
		return found;
	}

	async deleteAll(): Promise<void> {
		for (const { id } of await this.list<{ id: string }>()) {
			await this.session.request('delete', `${this.path}/${id}`);
		}
	}

	/** Replaces the table by a CSV file, with the columns and types that n8n's import proposes. */
	async replaceFromCsv(name: string, csvFile: string): Promise<void> {
		const old = await this.find(name);
		if (old !== undefined) await this.session.request('delete', old);
		const form = new FormData();
		const content = new Blob([await readFile(csvFile)], { type: 'text/csv' });
		form.append('file', content, path.basename(csvFile));
		form.append('hasHeaders', 'true');
		const upload = '/data-tables/uploads';
		const uploaded = await this.session.request<UploadedFile>('post', upload, form);
		const columns = uploaded.columns.map((column) => ({ name: column.name, type: column.type }));
		const table = { name, columns, fileId: uploaded.id, hasHeaders: true };
		await this.session.request('post', this.path, table);
	}

	/** The rows in the order in which they were added. */
	async rows(name: string): Promise<DataTableRow[]> {
		return this.list(`${await this.pathOf(name)}/rows`, { sortBy: 'id:asc' });
	}

	async insertRows(name: string, rows: DataTableRow[]): Promise<void> {
		const body = { data: rows, returnType: 'count' };
		await this.session.request('post', `${await this.pathOf(name)}/insert`, body);
	}

	/** Changes the rows whose column has this value. */
	async updateRows(
		name: string,
		columnName: string,
		value: string,
		changes: DataTableRow,
	): Promise<void> {
		const filter = { type: 'and', filters: [{ columnName, condition: 'eq', value }] };
		const body = { filter, data: changes };
		await this.session.request('patch', `${await this.pathOf(name)}/rows`, body);
	}
}
