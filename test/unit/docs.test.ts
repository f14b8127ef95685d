import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from '../../bench/shared/options';
import { projectRoot } from '../../scripts/shared/root';
import { releaseOf } from '../../scripts/localN8n/releases';
import { readArguments as readMutationArguments } from '../../scripts/mutation';
import { readArguments } from '../../scripts/start';
import { readArguments as readTestArguments } from '../../scripts/test';
import packageJson from '../../package.json';

/** Whether what the documentation names is there: commands, files, links. */
const pages = globSync(['*.md', '{.github,bench,docs,examples,sandbox,test}/**/*.md'], {
	cwd: projectRoot,
}).filter((name) => name !== 'LICENSE.md');

const inProject = (...parts: string[]) => path.join(projectRoot, ...parts);
const read = (name: string) => readFileSync(inProject(name), 'utf8');

/** Everything of one form in the documentation, with the page where it stands. */
function inPages(form: RegExp): Array<[page: string, found: string]> {
	return pages.flatMap((page) =>
		[...read(page).matchAll(form)].map(([, found = '']): [string, string] => [page, found]),
	);
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): string[] {
	const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
	const letters = headings.map((heading) => heading.replace(/[^\p{Letter}\p{Number}\s_-]/gu, ''));
	return letters.map((text) => text.toLowerCase().replaceAll(' ', '-'));
}

test.each(inPages(/\]\((?!https?:|mailto:)([^)\s]+)\)/g))('%s links to %s', (page, link) => {
	const [name = '', anchor] = link.split('#');
	const target = name === '' ? page : path.join(path.dirname(page), name);
	expect(existsSync(inProject(target))).toBe(true);
	if (anchor !== undefined) expect(anchorsOf(target)).toContain(anchor);
});

test('each picture that a page shows is there, each is shown, and none is larger than 150 KB', () => {
	const files = inPages(/<(?:img|source)\b[^>]*? (?:src|srcset)="([^"]+)"/g);
	const shown = files.map(([page, file]) => path.join(path.dirname(page), file));
	const taken = globSync('docs/pictures/*', { cwd: projectRoot });
	expect(taken.sort()).toEqual([...new Set(shown)].sort());
	expect(taken.filter((file) => statSync(inProject(file)).size > 150_000)).toEqual([]);
});

const entries = readdirSync(projectRoot, { withFileTypes: true });
const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
/** A path from the root, in code or in a command. */
const anyFile = new RegExp(`(?<![\\w./~>-])((?:${folders.join('|')})/[\\w./-]*\\w)`, 'g');

// What the build makes and what npm installs need not be here.
test.each(inPages(anyFile).filter(([, name]) => !/^(dist|node_modules)\b/.test(name)))(
	'%s names the file %s',
	(page, name) => {
		const candidates = [inProject(name), inProject(path.dirname(page), name)];
		expect(candidates.filter((file) => existsSync(file))).not.toEqual([]);
	},
);

/** What each script makes of its arguments; it throws for what it does not know. */
const readers: Record<string, (args: string[]) => unknown> = {
	start: readArguments,
	'start:queue': (args) => readArguments(['queue', ...args]),
	bench: readOptions,
	'test:compat': (versions) => versions.map((version) => releaseOf(version)),
	'test:mutation': readMutationArguments,
	test: readTestArguments,
};

const commands = inPages(/\bnpm ((?:run [\w:]+|start|test)(?: -- [^`#\n]*)?)/g);

test.each(commands)('%s says "npm %s"', (_page, command) => {
	const [name = '', args] = command.replace(/^run /, '').split(' -- ');
	expect(Object.keys(packageJson.scripts)).toContain(name.trim());
	if (args === undefined) return;
	expect(Object.keys(readers)).toContain(name);
	readers[name]?.(args.trim().split(/\s+/));
});

test('each fact that a comment cites is there, and none is numbered twice', () => {
	const numbers = [...read('docs/n8n-facts.md').matchAll(/^(\d+)\. /gm)].map(([, n]) => Number(n));
	expect(numbers).toEqual(numbers.map((_, index) => index + 1));
	const sources = globSync('{nodes,credentials,test}/**/*.ts', { cwd: projectRoot });
	const cited = sources.flatMap((name) => [...read(name).matchAll(/\(fact (\d+)\)/g)]);
	expect(cited.length).toBeGreaterThan(10);
	expect(cited.filter(([, n]) => !numbers.includes(Number(n)))).toEqual([]);
});
