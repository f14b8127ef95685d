import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { N8nSession } from './session';

export type DataTableRow = Record<string, string | number | boolean | null>;

interface UploadedFile {
	id: string;
	columns: Array<{ name: string; type: string }>;
}

/** n8n's data tables in one project, by the name that people see. */
export class DataTables {
	private readonly path: string;

	constructor(
		private readonly session: N8nSession,
		projectId: string,
	) {
		this.path = `/projects/${projectId}/data-tables`;
	}

	private async all(): Promise<Array<{ id: string; name: string }>> {
		const { data } = await this.session.request<{ data: Array<{ id: string; name: string }> }>(
			'get',
			this.path,
			undefined,
			{ take: 250 },
		);
		return data;
	}

	private async idOf(name: string): Promise<string | undefined> {
		return (await this.all()).find((table) => table.name === name)?.id;
	}

	async deleteAll(): Promise<void> {
		for (const { id } of await this.all())
			await this.session.request('delete', `${this.path}/${id}`);
	}

	private async existing(name: string): Promise<string> {
		const id = await this.idOf(name);
		if (id === undefined) throw new Error(`n8n has no data table "${name}".`);
		return id;
	}

	/** Makes the table anew from a CSV file, with the columns and types that n8n's import proposes. */
	async replaceFromCsv(name: string, csvFile: string): Promise<void> {
		const old = await this.idOf(name);
		if (old !== undefined) await this.session.request('delete', `${this.path}/${old}`);
		const form = new FormData();
		const content = new Blob([await readFile(csvFile)], { type: 'text/csv' });
		form.append('file', content, path.basename(csvFile));
		form.append('hasHeaders', 'true');
		const { id: fileId, columns } = await this.session.request<UploadedFile>(
			'post',
			'/data-tables/uploads',
			form,
		);
		await this.session.request('post', this.path, {
			name,
			columns: columns.map((column) => ({ name: column.name, type: column.type })),
			fileId,
			hasHeaders: true,
		});
	}

	/** The rows in the order in which they were added, at most 250. */
	async rows(name: string): Promise<DataTableRow[]> {
		const id = await this.existing(name);
		const { data } = await this.session.request<{ data: DataTableRow[] }>(
			'get',
			`${this.path}/${id}/rows`,
			undefined,
			{ take: 250, sortBy: 'id:asc' },
		);
		return data;
	}

	async insertRows(name: string, rows: DataTableRow[]): Promise<void> {
		const id = await this.existing(name);
		await this.session.request('post', `${this.path}/${id}/insert`, {
			data: rows,
			returnType: 'count',
		});
	}

	/** Changes the rows whose column has this value. */
	async updateRows(
		name: string,
		column: string,
		value: string,
		changes: DataTableRow,
	): Promise<void> {
		const id = await this.existing(name);
		await this.session.request('patch', `${this.path}/${id}/rows`, {
			filter: { type: 'and', filters: [{ columnName: column, condition: 'eq', value }] },
			data: changes,
		});
	}
}
