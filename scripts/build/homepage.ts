import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Stands in the source where the address of the documentation belongs. */
const placeholder = 'https://payment-pages.example/n8n';

/**
 * Puts the homepage of `package.json` into `dist`: n8n links to the documentation from the credentials
 * and from the codex files, which cannot read `package.json` themselves.
 */
export async function fillInHomepage(root: string): Promise<void> {
	const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
		homepage: string;
	};
	// The links have anchors of their own, where npm's usual homepage ends in "#readme".
	const [homepage = ''] = manifest.homepage.split('#');
	const dist = path.join(root, 'dist');
	const names = await readdir(dist, { recursive: true });
	for (const name of names.filter((file) => /\.(credentials\.js|node\.json)$/.test(file))) {
		const file = path.join(dist, name);
		const text = await readFile(file, 'utf8');
		await writeFile(file, text.replaceAll(placeholder, homepage));
	}
}
