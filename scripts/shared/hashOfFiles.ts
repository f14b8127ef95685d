import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

async function filesBelow(entry: string): Promise<string[]> {
	if (!existsSync(entry)) return [];
	if (!(await stat(entry)).isDirectory()) return [entry];
	const children = await readdir(entry, { recursive: true, withFileTypes: true });
	return children
		.filter((child) => child.isFile())
		.map((child) => path.join(child.parentPath, child.name))
		.sort();
}

/** SHA-256 over names and contents of files and of all files in folders, both given by name. */
export async function hashOfFiles(root: string, names: string[]): Promise<string> {
	const hash = createHash('sha256');
	for (const name of names) {
		for (const file of await filesBelow(path.join(root, name))) {
			const content = await readFile(file);
			hash.update(`${path.relative(root, file)}\0${content.length}\0`).update(content);
		}
	}
	return hash.digest('hex');
}
