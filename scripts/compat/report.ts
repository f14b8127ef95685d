import type { FileResult } from './runTests';
import type { Skip } from './skips';

/** A run of the tests on one version of n8n. */
export interface Run {
	version: string;
	nodeVersion: string;
	packageVersion: string;
	/** As in `2026-11-28`. */
	date: string;
	results: FileResult[];
	skips: Skip[];
	/** Files whose tests nobody saw. */
	notRun: string[];
}

/** The files, among all that there are, that neither have a result nor are skipped. */
export function filesNotRun(
	all: string[],
	{ results, skips }: Pick<Run, 'results' | 'skips'>,
): string[] {
	const known = [...results, ...skips.filter(({ tests }) => !tests)].map(({ file }) => file);
	return all.filter((file) => !known.includes(file));
}

/** Skipped tests without a reason, and reasons without a skipped test: both are mistakes. */
export function unexplained({ results, skips }: Pick<Run, 'results' | 'skips'>): string[] {
	const skipped = results.flatMap((each) => each.skipped.map((test) => `${each.file}: ${test}`));
	const named = skips.flatMap(({ file, tests = [] }) => tests.map((test) => `${file}: ${test}`));
	return [
		...skipped.filter((test) => !named.includes(test)).map((test) => `skipped, why? ${test}`),
		...named.filter((test) => !skipped.includes(test)).map((test) => `no such test: ${test}`),
	];
}

export function failuresOf(results: FileResult[]): string[] {
	return results.flatMap(({ file, failed }) => failed.map((test) => `${file}: ${test}`));
}

function list(title: string, lines: string[]): string {
	return lines.length === 0 ? '' : `\n${title}:\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

function total(results: FileResult[]): string {
	const passed = results.reduce((sum, each) => sum + each.passed, 0);
	const skipped = results.flatMap((each) => each.skipped).length;
	return `${passed} passed, ${failuresOf(results).length} failed, ${skipped} skipped`;
}

/** Each reason once, with what it is the reason for below it. */
function reasonsOf(skips: Skip[]): string[] {
	const byReason = new Map<string, string[]>();
	for (const { file, tests, reason } of skips) {
		const named = tests?.map((test) => `${file}: ${test}`) ?? [`all of ${file}`];
		byReason.set(reason, [...(byReason.get(reason) ?? []), ...named]);
	}
	return [...byReason].map(([reason, named]) => [reason, ...named].join('\n  - '));
}

/** The section of `docs/compatibility.md` about one version. */
export function sectionOf(run: Run): string {
	return `## n8n ${run.version}

Version ${run.packageVersion} of the package, Node.js ${run.nodeVersion}, ${run.date}: ${total(run.results)}.
${list('Failed', failuresOf(run.results))}${list('Not run', run.notRun)}${list('Skipped, because this n8n cannot do it', reasonsOf(run.skips))}`;
}

const introduction = `# Compatibility

What the end-to-end tests of the package saw on old and new versions of n8n. \`npm run test:compat\` runs them and writes this page; \`npm run test:compat -- 1.123.77\` runs one version and rewrites its section. Each version runs on the oldest Node.js that its parts allow.
`;

/** The page with this section in it: in the place of the one of the same version, newest first. */
export function withSection(page: string, section: string): string {
	const titleOf = (text: string) => text.split('\n', 1)[0] ?? '';
	const others = page.split(/^(?=## )/m).filter((text) => text.startsWith('## '));
	const sections = [
		...others.filter((text) => titleOf(text) !== titleOf(section)),
		section,
	].toSorted((one, other) => titleOf(other).localeCompare(titleOf(one), 'en', { numeric: true }));
	return [introduction, ...sections].map((text) => text.trim()).join('\n\n');
}
