import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { fillInHomepage } from '../../scripts/build/homepage';
import { leftToDo } from '../../scripts/publish/leftToDo';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'placeholders-'));
	await mkdir(path.join(folder, 'dist', 'nodes'), { recursive: true });
});

afterEach(() => rm(folder, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
	await writeFile(path.join(folder, file), text);
}

const repository = 'https://github.com/somebody/something';

test('what is left to do is listed, each placeholder with its place', async () => {
	const homepage = '"homepage": "https://payment-pages.example/n8n"';
	await write('package.json', `{\n\t"version": "1.2.0",\n\t${homepage}\n}\n`);
	await write('dist/nodes/a.js', 'exports.url = "https://payment-pages.example/n8n";');
	await write('CHANGELOG.md', '## [1.2.0] - Unreleased\n\n## [1.1.0] - 2026-11-28\n');
	expect(await leftToDo(folder)).toEqual([
		`package.json:3: ${homepage} (placeholder)`,
		'CHANGELOG.md: version 1.2.0 has no date',
	]);
});

test('a placeholder that did not come from package.json is listed, too', async () => {
	await write('package.json', `{ "version": "1.2.0", "homepage": "${repository}" }`);
	await write('dist/nodes/a.js', 'exports.a = 1;\nexports.url = "https://payment-pages.example";');
	await write('CHANGELOG.md', '## [1.2.0] - 2026-11-28\n');
	expect(await leftToDo(folder)).toEqual([
		'dist/nodes/a.js:2: exports.url = "https://payment-pages.example"; (placeholder)',
	]);
});

test('nothing is left where all addresses are real, and the links follow the homepage', async () => {
	await write('package.json', `{ "version": "1.2.0", "homepage": "${repository}#readme" }`);
	await write('CHANGELOG.md', '## [1.2.0] - 2026-11-28\n');
	await write('dist/nodes/a.js', 'exports.hint = "https://api.service.example/v1";');
	const credential = 'dist/a.credentials.js';
	await write(credential, 'documentationUrl = "https://payment-pages.example/n8n#credentials";');
	await write('dist/nodes/a.node.json', '{ "url": "https://payment-pages.example/n8n#start" }');
	await fillInHomepage(folder);
	expect(await leftToDo(folder)).toEqual([]);
	expect(await readFile(path.join(folder, credential), 'utf8')).toContain(
		`"${repository}#credentials"`,
	);
});
