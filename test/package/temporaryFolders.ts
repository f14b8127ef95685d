import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made: string[] = [];

export function makeFolder(): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'payment-pages-test-'));
	removeLater(folder);
	return folder;
}

export function removeLater(folder: string): void {
	made.push(folder);
}

/** A copy of some entries of a folder, which a test may spoil. */
export function copyOf(folder: string, entries: string[]): string {
	const copy = makeFolder();
	for (const entry of entries) {
		cpSync(path.join(folder, entry), path.join(copy, entry), { recursive: true });
	}
	return copy;
}

/** For afterAll: removes every folder that this test file made or named. */
export function removeFolders(): void {
	for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
