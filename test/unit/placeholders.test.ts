import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { placeholdersIn } from '../../scripts/publish/placeholders';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'placeholders-'));
	await mkdir(path.join(folder, 'dist', 'nodes'), { recursive: true });
});

afterEach(() => rm(folder, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
	await writeFile(path.join(folder, file), text);
}

test('a placeholder that would be published is found with its place', async () => {
	await write('package.json', '{\n\t"homepage": "https://payment-pages.example/n8n"\n}\n');
	await write('dist/nodes/a.js', 'exports.a = 1;\nexports.url = "https://payment-pages.example";');
	expect(await placeholdersIn(folder)).toEqual([
		'package.json:2: "homepage": "https://payment-pages.example/n8n"',
		'dist/nodes/a.js:2: exports.url = "https://payment-pages.example";',
	]);
});

test('nothing is found where all addresses are real', async () => {
	await write('package.json', '{ "homepage": "https://github.com/somebody/something" }');
	await write('dist/nodes/a.js', 'exports.hint = "https://api.service.example/v1";');
	expect(await placeholdersIn(folder)).toEqual([]);
});
