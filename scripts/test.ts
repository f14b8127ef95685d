import { PlainError } from './shared/plainError';
import { runMain } from './shared/main';
import { runChecks } from './test/checks';
import { type Counts, sum, summary } from './test/counts';
import { runJest } from './test/jestRun';
import { howToGet, missingPackages } from './test/packages';

/** Much of their time is waiting for a retry, so two files for each core. */
const quick = { projects: ['unit', 'engine', 'models', 'sandbox', 'package'], workers: 4 };

/** Their files start an n8n or a browser each: more of them at once would starve each other. */
const slow = { projects: ['e2e', 'browser'], workers: 2 };

async function runProjects(chosen: string[]): Promise<Counts[]> {
	const counts: Counts[] = [];
	for (const { projects, workers } of [quick, slow]) {
		const some = projects.filter((project) => chosen.includes(project));
		if (some.length > 0) counts.push(await runJest(some, [`--maxWorkers=${workers}`]));
	}
	return counts;
}

/** What some of the chosen tests need and do not find. */
async function missingFor(chosen: string[]): Promise<string[]> {
	if (!slow.projects.some((project) => chosen.includes(project))) return [];
	const missing = await missingPackages();
	if (missing.length === 0 || process.env.CI !== 'true') return missing;
	throw new PlainError(`With CI=true nothing is skipped. ${howToGet(missing)}`);
}

/** `npm test` runs checks and all tests; `npm test -- unit engine` runs some kinds of tests alone. */
async function test(): Promise<void> {
	const all = [...quick.projects, ...slow.projects];
	const named = process.argv.slice(2);
	const unknown = named.find((project) => !all.includes(project));
	if (unknown !== undefined) {
		throw new PlainError(
			`There are no "${unknown}" tests. Choose one or more of these: ${all.join(', ')}.`,
		);
	}
	const chosen = named.length > 0 ? named : all;
	const missing = await missingFor(chosen);
	const counts =
		named.length > 0
			? await runProjects(chosen)
			: [await runChecks(), ...(await runProjects(chosen))];
	const total = sum(counts);
	console.log(`\n${summary(total)}`);
	if (missing.length > 0) console.log(`Skipped: ${howToGet(missing)}`);
	if (total.failed > 0) process.exitCode = 1;
}

runMain(test);
