import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page, Registration, SandboxState } from './state';

interface SavedState {
	lastId: string | null;
	registration: Registration | null;
	pages: Page[];
}

/** Fills the state with the pages and the registration that the file holds, if there is one. */
export function loadState(file: string, state: SandboxState): void {
	if (!existsSync(file)) return;
	const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedState;
	state.lastId = saved.lastId;
	state.registration = saved.registration;
	for (const page of saved.pages) state.pages.set(page.id, page);
}

/**
 * Keeps pages and registration in a file. Changes that come while a write is under way are written
 * together afterwards, so that a thousand creates do not mean a thousand writes.
 */
export class StateFile {
	private dirty = false;
	private writing: Promise<void> | undefined;

	constructor(
		private readonly file: string,
		private readonly state: SandboxState,
	) {}

	changed(): void {
		this.dirty = true;
		this.writing ??= this.write()
			.catch((error: unknown) => console.error(`Cannot write ${this.file}:`, error))
			.finally(() => {
				this.writing = undefined;
			});
	}

	/** Resolves when everything is written. */
	async settled(): Promise<void> {
		await this.writing;
	}

	private async write(): Promise<void> {
		await mkdir(path.dirname(this.file), { recursive: true });
		while (this.dirty) {
			this.dirty = false;
			const { lastId, registration, pages } = this.state;
			const saved: SavedState = { lastId, registration, pages: [...pages.values()] };
			// Written beside and then renamed, so that a crash never leaves half a file.
			await writeFile(`${this.file}.new`, JSON.stringify(saved, null, '\t'), { mode: 0o600 });
			await rename(`${this.file}.new`, this.file);
		}
	}
}
