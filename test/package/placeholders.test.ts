import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { enterHomepage } from '../../scripts/publish/homepage';
import { leftToDo } from '../../scripts/publish/leftToDo';
import { makeFolder, removeFolders } from './temporaryFolders';

let folder: string;

beforeEach(() => {
	folder = makeFolder();
	for (const name of ['nodes', 'credentials', 'examples']) mkdirSync(path.join(folder, name));
});

afterAll(removeFolders);

function write(file: string, text: string): void {
	writeFileSync(path.join(folder, file), text);
}

test('what is left to do is listed, each placeholder with its place', async () => {
	const homepage = '"homepage": "https://payment-pages.example/n8n"';
	write('package.json', `{\n\t"version": "1.2.0",\n\t${homepage}\n}\n`);
	write('nodes/a.ts', 'const a = 1;\nconst url = "https://payment-pages.example";');
	write('CHANGELOG.md', '## [1.2.0] - Unreleased\n\n## [1.1.0] - 2026-11-28\n');
	expect(await leftToDo(folder)).toEqual([
		`package.json:3: ${homepage} (placeholder)`,
		'nodes/a.ts:2: const url = "https://payment-pages.example"; (placeholder)',
		'CHANGELOG.md: version 1.2.0 has no date',
	]);
});

/** Files with a link, whatever the homepage is. */
const linking: Record<string, (homepage: string) => string> = {
	'credentials/a.credentials.ts': (homepage) => `documentationUrl = '${homepage}#credentials';`,
	'nodes/a.node.json': (homepage) => `{ "url": "${homepage}#start" }`,
	'nodes/a.ts': (homepage) => `'${homepage}/blob/HEAD/docs/a.md' 'https://api.example/v1#no-link'`,
	'examples/a.json': (homepage) => `"[crm.csv](${homepage}/blob/HEAD/examples/crm.csv)"`,
};

test('the links follow the homepage, however often it changes, and nothing is left to do', async () => {
	write('CHANGELOG.md', '## [1.2.0] - 2026-11-28\n');
	for (const [file, text] of Object.entries(linking))
		write(file, text('https://payment-pages.example/n8n'));
	for (const homepage of ['https://elsewhere.example/a', 'https://github.com/somebody/something']) {
		write('package.json', `{ "version": "1.2.0", "homepage": "${homepage}#readme" }`);
		await enterHomepage(folder);
		for (const [file, text] of Object.entries(linking)) {
			expect(readFileSync(path.join(folder, file), 'utf8')).toBe(text(homepage));
		}
	}
	expect(await leftToDo(folder)).toEqual([]);
});
