import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A link of n8n to a section of the documentation: in a credential, or in the codex file of a node. */
const link = /https?:\/\/[^\s'"#]+(?=#)/g;

/**
 * Writes the homepage of `package.json` into the sources: the links of the credentials and of the
 * codex files lead there, and neither can read `package.json` itself.
 */
export async function enterHomepage(root: string): Promise<void> {
	const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
		homepage: string;
	};
	// The links have anchors of their own, where npm's usual homepage ends in "#readme".
	const [homepage = ''] = manifest.homepage.split('#');
	for (const folder of ['credentials', 'nodes']) {
		const names = await readdir(path.join(root, folder), { recursive: true });
		for (const name of names.filter((file) => /\.(credentials\.ts|node\.json)$/.test(file))) {
			const file = path.join(root, folder, name);
			const text = await readFile(file, 'utf8');
			await writeFile(file, text.replaceAll(link, homepage));
		}
	}
}
