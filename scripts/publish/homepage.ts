import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The homepage in a link to a section of it, as credentials and codex files have it, or to a file. */
const linked = {
	section: /https?:\/\/[^\s'"#]+(?=#)/g,
	file: /https?:\/\/[^\s'"()]+(?=\/blob\/HEAD\/)/g,
};

const folders: Array<[folder: string, files: RegExp, link: RegExp]> = [
	['credentials', /\.credentials\.ts$/, linked.section],
	['nodes', /\.node\.json$/, linked.section],
	['nodes', /\.ts$/, linked.file],
	['examples', /\.json$/, linked.file],
];

/**
 * Writes the homepage of `package.json` into the sources: the links of credentials, nodes and examples
 * lead there, and none of them can read `package.json` itself.
 */
export async function enterHomepage(root: string): Promise<void> {
	const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
		homepage: string;
	};
	// The links have anchors of their own, where npm's usual homepage ends in "#readme".
	const [homepage = ''] = manifest.homepage.split('#');
	for (const [folder, files, link] of folders) {
		const names = await readdir(path.join(root, folder), { recursive: true });
		for (const name of names.filter((each) => files.test(each))) {
			const file = path.join(root, folder, name);
			const text = await readFile(file, 'utf8');
			await writeFile(file, text.replaceAll(link, homepage));
		}
	}
}
