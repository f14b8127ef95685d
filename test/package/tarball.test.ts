import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import type { Icon } from 'n8n-workflow';
import packageJson from '../../package.json';
import { packPackage } from '../../scripts/pack';
import { projectRoot } from '../../scripts/shared/root';
import { copyOf, makeFolder } from '../support/temporaryFolders';

// A scan takes 3 s, and many times that on a busy machine.
jest.setTimeout(300_000);

let tarball: string;
let folder: string;
/** Every file in the tarball, relative to the package. */
let files: string[];
/** n8n's own loader: what it finds in the package is what a user would get. */
let loader: PackageDirectoryLoader;

beforeAll(async () => {
	tarball = await packPackage();
	const listing = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim();
	files = listing.split('\n').map((file) => file.replace(/^package\//, ''));
	// Unpacked as n8n installs a community package: beside n8n's own `n8n-workflow`.
	const modules = path.join(makeFolder(), 'node_modules');
	folder = path.join(modules, 'n8n-nodes-payment-pages');
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const library = path.join(projectRoot, 'node_modules/n8n-workflow');
	symlinkSync(library, path.join(modules, 'n8n-workflow'));
	loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();
});

test('the manifest is that of an n8n community package without runtime dependencies', () => {
	const keywords = expect.arrayContaining(['n8n-community-node-package']);
	const manifest = { keywords, license: 'MIT', n8n: { n8nNodesApiVersion: 1 } };
	expect(loader.packageJson).toMatchObject(manifest);
	expect(loader.packageJson).toHaveProperty('peerDependencies', { 'n8n-workflow': '*' });
	expect(loader.packageJson).not.toHaveProperty('dependencies');
});

test('the tarball holds only what n8n needs, and tells the licence and how to use it', () => {
	const allowed = [
		/^(package\.json|README\.md|LICENSE\.md|CHANGELOG\.md)$/,
		/^dist\/(nodes|credentials)\/.+\.js$/,
		/^dist\/nodes\/.+\.node\.json$/,
		/^dist\/icons\/[^/]+\.svg$/,
	];
	expect(files.filter((file) => !allowed.some((form) => form.test(file)))).toEqual([]);
	expect(files).toEqual(expect.arrayContaining(['LICENSE.md', 'README.md']));
	expect(statSync(tarball).size).toBeLessThan(70_000);
});

test('n8n loads every node and credential that there is, and each is used', () => {
	const named = [...packageJson.n8n.nodes, ...packageJson.n8n.credentials];
	const kinds = /^dist\/.*\.(node|credentials)\.js$/;
	expect(named.sort()).toEqual(files.filter((file) => kinds.test(file)).sort());
	const { nodes, credentials } = loader.types;
	expect(nodes.length + credentials.length).toBe(named.length);
	const used = new Set(nodes.flatMap((node) => node.credentials ?? []).map(({ name }) => name));
	expect([...used].sort()).toEqual(credentials.map(({ name }) => name).sort());
});

test('people find the nodes by what they type, and each has an icon for light and for dark', () => {
	const alias = expect.arrayContaining(['payment link', 'checkout', 'invoice']);
	const codex = { categories: ['Finance & Accounting'], alias };
	expect(loader.types.nodes).toMatchObject(packageJson.n8n.nodes.map(() => ({ codex })));
	for (const { iconUrl } of [...loader.types.nodes, ...loader.types.credentials]) {
		const { light, dark } = iconUrl as Exclude<Icon, string>;
		expect(dark).toBe(light.replace(/\.svg$/, '.dark.svg'));
		const shown = [light, dark].map((url) => url.replace('icons/n8n-nodes-payment-pages/', ''));
		expect(files).toEqual(expect.arrayContaining(shown));
	}
});

test('what n8n links to are sections of the README, at the homepage of the manifest', () => {
	const { nodes, credentials } = loader.types;
	const resources = nodes.map(({ codex }) => codex?.resources);
	const links = [
		...resources.map((its) => its?.primaryDocumentation?.[0]?.url),
		...resources.map((its) => its?.credentialDocumentation?.[0]?.url),
		...credentials.map(({ documentationUrl }) => documentationUrl),
	];
	const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
	const [homepage = ''] = packageJson.homepage.split('#');
	const sections = [...readme.matchAll(/^#+ (.*)$/gm)].map(
		([, heading = '']) => `${homepage}#${heading.toLowerCase().replaceAll(' ', '-')}`,
	);
	expect(sections).toEqual(expect.arrayContaining(links));
});

/** The verdict of n8n's scan on a source folder, or on what a tarball holds. */
function scan(kind: 'source' | 'tarball', scanned: string) {
	const args = [path.join(__dirname, 'runScan.mjs'), kind, scanned];
	// Under NODE_ENV=test, which jest sets, n8n's rules take every file for their own fixture.
	// The scan leaves a temporary folder behind, so it gets one of ours to put it in.
	const env = { ...process.env, NODE_ENV: 'production', TMPDIR: makeFolder() };
	return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env })) as object;
}

test("n8n's scan reports nothing", () => {
	expect(scan('source', projectRoot)).toEqual({ passed: true, report: '' });
	expect(scan('tarball', folder)).toEqual({ passed: true, report: '' });
});

const hidden = '\n// eslint-disable-next-line no-console\nconsole.log("hidden");\n';
const timer = '\nsetTimeout(() => {}, 1000);\n';

test.each([
	['source', 'nodes/PaymentPage/PaymentPage.node.ts', hidden, 'no-console'],
	['tarball', 'dist/nodes/PaymentPage/PaymentPage.node.js', timer, 'no-restricted-globals'],
] as const)("n8n's scan of the %s would report in %s: %j", (kind, file, lines, rule) => {
	const copy =
		kind === 'source'
			? copyOf(projectRoot, ['package.json', 'nodes', 'credentials', 'icons'])
			: copyOf(folder, ['package.json', 'dist']);
	appendFileSync(path.join(copy, file), lines);
	expect(scan(kind, copy)).toEqual({ passed: false, report: expect.stringContaining(rule) });
});
