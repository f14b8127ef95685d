import { appendFileSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import type { Icon } from 'n8n-workflow';
import { packPackage } from '../../scripts/pack';
import { projectRoot } from '../../scripts/shared/root';
import { type InstalledPackage, installTarball } from './installTarball';
import { scan } from './scan';
import { copyOf, removeFolders } from './temporaryFolders';

// A scan takes 3 s, and many times that on a busy machine.
jest.setTimeout(300_000);

interface Manifest {
	homepage: string;
	keywords: string[];
	license: string;
	dependencies?: unknown;
	peerDependencies: unknown;
	n8n: { n8nNodesApiVersion: number; nodes: string[]; credentials: string[] };
}

let installed: InstalledPackage;
let manifest: Manifest;
let loader: PackageDirectoryLoader;

beforeAll(async () => {
	installed = installTarball(await packPackage());
	const text = readFileSync(path.join(installed.folder, 'package.json'), 'utf8');
	manifest = JSON.parse(text) as Manifest;
	// n8n's own loader: what it finds in the package is what a user would get.
	loader = new PackageDirectoryLoader(installed.folder);
	await loader.loadAll();
}, 300_000);

afterAll(removeFolders);

describe('the manifest', () => {
	test('is that of an n8n community package without runtime dependencies', () => {
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.license).toBe('MIT');
		expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1 });
		expect(manifest.dependencies).toBeUndefined();
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	test('names every node and credential that there is', () => {
		const { nodes, credentials } = manifest.n8n;
		const kinds = /^dist\/.*\.(node|credentials)\.js$/;
		const there = installed.files.filter((file) => kinds.test(file));
		expect([...nodes, ...credentials].sort()).toEqual(there.sort());
	});
});

describe('the tarball', () => {
	test('holds only what n8n needs, and tells the licence and how to use it', async () => {
		const allowed = [
			/^(package\.json|README\.md|LICENSE\.md|CHANGELOG\.md)$/,
			/^dist\/(nodes|credentials)\/.+\.js$/,
			/^dist\/nodes\/.+\.node\.json$/,
			/^dist\/icons\/[^/]+\.svg$/,
		];
		const others = installed.files.filter((file) => !allowed.some((form) => form.test(file)));
		expect(others).toEqual([]);
		expect(installed.files).toEqual(expect.arrayContaining(['LICENSE.md', 'README.md']));
		expect(statSync(await packPackage()).size).toBeLessThan(70_000);
	});
});

describe('what n8n loads', () => {
	test('is every node and credential of the manifest, and each is used', () => {
		const { nodes, credentials } = loader.types;
		expect(nodes).toHaveLength(manifest.n8n.nodes.length);
		expect(credentials).toHaveLength(manifest.n8n.credentials.length);
		const used = new Set(nodes.flatMap((node) => node.credentials ?? []).map(({ name }) => name));
		expect([...used].sort()).toEqual(credentials.map(({ name }) => name).sort());
	});

	test('has an icon for light and one for dark, both in the tarball', () => {
		const prefix = 'icons/n8n-nodes-payment-pages/';
		for (const { name, iconUrl } of [...loader.types.nodes, ...loader.types.credentials]) {
			const icons = iconUrl as Exclude<Icon, string> | undefined;
			const files = [icons?.light, icons?.dark].map((url) => url?.replace(prefix, ''));
			expect({ name, files }).toEqual({
				name,
				files: [expect.stringMatching(/\.svg$/), expect.stringMatching(/\.dark\.svg$/)],
			});
			expect(installed.files).toEqual(expect.arrayContaining(files));
		}
	});

	test('can be searched for by what a merchant would type', () => {
		for (const { name, codex } of loader.types.nodes) {
			expect({ name, codex }).toMatchObject({
				name,
				codex: {
					categories: ['Finance & Accounting'],
					alias: expect.arrayContaining(['payment link', 'checkout', 'invoice']),
				},
			});
		}
	});

	test('links to its documentation at the homepage of the manifest', () => {
		const { nodes, credentials } = loader.types;
		const links = [
			...nodes.map(({ codex }) => codex?.resources?.primaryDocumentation?.[0]?.url),
			...nodes.map(({ codex }) => codex?.resources?.credentialDocumentation?.[0]?.url),
			...credentials.map(({ documentationUrl }) => documentationUrl),
		];
		const [homepage = ''] = manifest.homepage.split('#');
		for (const link of links) expect(link?.split('#')[0]).toBe(homepage);
		// What n8n links to is a section of the README.
		const readme = readFileSync(path.join(installed.folder, 'README.md'), 'utf8');
		const anchors = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
			heading.toLowerCase().replaceAll(' ', '-'),
		);
		expect(anchors).toEqual(expect.arrayContaining(links.map((link) => link?.split('#')[1])));
	});
});

describe("n8n's scan", () => {
	test('reports nothing', () => {
		expect(scan('source', projectRoot)).toEqual({ passed: true, report: '' });
		expect(scan('tarball', installed.folder)).toEqual({ passed: true, report: '' });
	});

	test('would report a comment that switches a rule off', () => {
		const copy = copyOf(projectRoot, ['package.json', 'nodes', 'credentials', 'icons']);
		const lines = '\n// eslint-disable-next-line no-console\nconsole.log("hidden");\n';
		appendFileSync(path.join(copy, 'nodes/PaymentPage/PaymentPage.node.ts'), lines);
		const verdict = scan('source', copy);
		expect([verdict.passed, verdict.report]).toEqual([
			false,
			expect.stringContaining('no-console'),
		]);
	});

	test('would report a compiled node that uses a timer', () => {
		const copy = copyOf(installed.folder, ['package.json', 'dist']);
		appendFileSync(path.join(copy, manifest.n8n.nodes[0] ?? ''), '\nsetTimeout(() => {}, 1000);\n');
		const { passed, report } = scan('tarball', copy);
		expect([passed, report]).toEqual([false, expect.stringContaining('no-restricted-globals')]);
	});
});
