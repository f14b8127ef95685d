import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { N8nSession } from './session';

export type DataTableRow = Record<string, string | number | boolean | null>;

type UploadedFile = { id: string; columns: Array<{ name: string; type: string }> };

/** n8n's data tables in one project, by the name that people see. */
export class DataTables {
	constructor(
		private readonly session: N8nSession,
		private readonly path: string, // that of the project's tables
	) {}

	/** All that a table holds, or all tables: at most 250. */
	private async list<T>(path: string, query = {}): Promise<T[]> {
		const all = { take: 250, ...query };
		return (await this.session.request<{ data: T[] }>('get', path, undefined, all)).data;
	}

	/** The tables of a name, of which there is one at most, or all. */
	private async pathsOf(name?: string): Promise<string[]> {
		const all = await this.list<{ id: string; name: string }>(this.path);
		const meant = all.filter((table) => name === undefined || table.name === name);
		return meant.map(({ id }) => `${this.path}/${id}`);
	}

	private async pathOf(name: string): Promise<string> {
		const [found] = await this.pathsOf(name);
		if (found === undefined) throw new Error(`n8n has no data table "${name}".`);
		return found;
	}

	/** Deletes the table of a name, if there is one, or all tables. */
	async delete(name?: string): Promise<void> {
		for (const path of await this.pathsOf(name)) await this.session.request('delete', path);
	}

	/** Replaces the table by a CSV file, with the columns and types that n8n's import proposes. */
	async replaceFromCsv(name: string, csvFile: string): Promise<void> {
		await this.delete(name);
		const form = new FormData();
		const content = new Blob([await readFile(csvFile)], { type: 'text/csv' });
		form.append('file', content, path.basename(csvFile));
		form.append('hasHeaders', 'true');
		const upload = '/data-tables/uploads';
		const { id: fileId, columns } = await this.session.request<UploadedFile>('post', upload, form);
		const named = columns.map((column) => ({ name: column.name, type: column.type }));
		const table = { name, columns: named, fileId, hasHeaders: true };
		await this.session.request('post', this.path, table);
	}

	/** The rows in the order in which they were added. */
	async rows(name: string): Promise<DataTableRow[]> {
		return this.list(`${await this.pathOf(name)}/rows`, { sortBy: 'id:asc' });
	}

	async insertRows(name: string, data: DataTableRow[]): Promise<void> {
		const url = `${await this.pathOf(name)}/insert`;
		await this.session.request('post', url, { data, returnType: 'count' });
	}

	/** Changes the rows whose column has this value. */
	async updateRows(name: string, columnName: string, value: string, data: DataTableRow) {
		const filter = { type: 'and', filters: [{ columnName, condition: 'eq', value }] };
		await this.session.request('patch', `${await this.pathOf(name)}/rows`, { filter, data });
	}
}
