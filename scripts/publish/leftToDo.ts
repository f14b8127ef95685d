import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { placeholdersIn } from './placeholders';

/** What a publisher still has to do before this version goes to the registry, one line each. */
export async function leftToDo(root: string): Promise<string[]> {
	const manifest = await readFile(path.join(root, 'package.json'), 'utf8');
	const changelog = await readFile(path.join(root, 'CHANGELOG.md'), 'utf8');
	const { version } = JSON.parse(manifest) as { version: string };
	const isDated = changelog
		.split('\n')
		.some((line) => line.startsWith(`## [${version}] - `) && /\d{4}-\d{2}-\d{2}$/.test(line));
	const placeholders = await placeholdersIn(root);
	return [
		...placeholders.map((line) => `${line} (placeholder)`),
		...(isDated ? [] : [`CHANGELOG.md: version ${version} has no date`]),
	];
}
