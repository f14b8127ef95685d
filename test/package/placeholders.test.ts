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

const repository = 'https://github.com/somebody/something';

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

test('the links follow the homepage, however often it changes, and nothing is left to do', async () => {
	write('CHANGELOG.md', '## [1.2.0] - 2026-11-28\n');
	write('nodes/a.ts', 'const hint = "https://api.service.example/v1#not-a-link";');
	const credential = 'credentials/a.credentials.ts';
	write(credential, "documentationUrl = 'https://payment-pages.example/n8n#credentials';");
	write('nodes/a.node.json', '{ "url": "https://payment-pages.example/n8n#start" }');
	const file = (name: string) => `https://payment-pages.example/n8n/blob/HEAD/${name}`;
	write('nodes/b.ts', `'<a href="${file('docs/mapping.md')}">All names</a>'`);
	write('examples/a.json', `"[crm.csv](${file('examples/crm.csv')})"`);
	for (const homepage of ['https://elsewhere.example/a', repository]) {
		write('package.json', `{ "version": "1.2.0", "homepage": "${homepage}#readme" }`);
		await enterHomepage(folder);
		const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
		expect(read(credential)).toBe(`documentationUrl = '${homepage}#credentials';`);
		expect(read('nodes/a.node.json')).toBe(`{ "url": "${homepage}#start" }`);
		expect(read('nodes/a.ts')).toContain('api.service.example/v1#');
		expect(read('nodes/b.ts')).toContain(`"${homepage}/blob/HEAD/docs/mapping.md"`);
		expect(read('examples/a.json')).toBe(`"[crm.csv](${homepage}/blob/HEAD/examples/crm.csv)"`);
	}
	expect(await leftToDo(folder)).toEqual([]);
});
