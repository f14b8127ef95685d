import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Values that would be found wherever a secret leaks to. */
export const canaries = {
	privateKey: 'canary-private-key-5f2c91',
	apiKey: 'canary-api-key-a83e07',
	webhookSecret: 'canary-webhook-secret-1d64b9',
};

export type Named = readonly [name: string, content: Buffer];

/** What n8n keeps of its work: database with its journal, logs, settings, binary data. */
export async function filesOfN8n(userFolder: string): Promise<Named[]> {
	const entries = await readdir(userFolder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name))
		.filter((file) => !/node_modules|\/\.cache\//.test(file));
	return Promise.all(files.map(async (file): Promise<Named> => [file, await readFile(file)]));
}

/** Where a text stands, also in Base64, among named contents. */
export function placesOf(text: string, contents: Named[]): string[] {
	const bytes = Buffer.from(text);
	// Base64 of a part looks different at each of three offsets.
	const encoded = [0, 1, 2].map((offset) => {
		const inner = bytes.subarray(offset, offset + Math.floor((bytes.length - offset) / 3) * 3);
		return inner.toString('base64');
	});
	return contents
		.filter(([, content]) => [text, ...encoded].some((form) => content.includes(form)))
		.map(([name]) => name);
}
