import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made: string[] = [];

export function makeFolder(): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'payment-pages-test-'));
	made.push(folder);
	return folder;
}

/** A copy of some entries of a folder, which a test may spoil. */
export function copyOf(folder: string, entries: string[]): string {
	const copy = makeFolder();
	for (const entry of entries) {
		cpSync(path.join(folder, entry), path.join(copy, entry), { recursive: true });
	}
	return copy;
}

/** For afterAll: removes every folder that this test file made. */
export function removeFolders(): void {
	for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
