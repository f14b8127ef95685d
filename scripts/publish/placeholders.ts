import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Whoever publishes the package puts addresses of their own in the place of this one. */
const placeholder = 'payment-pages.example';

/** What goes to the registry is made of these. README and CHANGELOG hold addresses of examples. */
const published = ['package.json', 'credentials', 'nodes'];

async function filesIn(root: string, name: string): Promise<string[]> {
	if (path.extname(name) !== '') return [name];
	const entries = await readdir(path.join(root, name), { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** The lines of the published files in which a placeholder is left, as `file:line: text`. */
export async function placeholdersIn(root: string): Promise<string[]> {
	const files = (await Promise.all(published.map((name) => filesIn(root, name)))).flat();
	const lines = files.map(async (file) => {
		const text = await readFile(path.join(root, file), 'utf8');
		return text
			.split('\n')
			.map((line, index) => `${file}:${index + 1}: ${line.trim()}`)
			.filter((line) => line.includes(placeholder));
	});
	return (await Promise.all(lines)).flat();
}
