import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanUp } from './cleanUp';

/** A folder that is removed when the test file has ended. */
export function makeFolder(): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'payment-pages-test-'));
	cleanUp(async () => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A copy of some entries of a folder, which a test may spoil. */
export function copyOf(folder: string, entries: string[]): string {
	const copy = makeFolder();
	for (const name of entries)
		cpSync(path.join(folder, name), path.join(copy, name), { recursive: true });
	return copy;
}
