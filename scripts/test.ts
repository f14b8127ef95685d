import { PlainError } from './shared/plainError';
import { runMain } from './shared/main';
import { type Chosen, quick, readArguments, slow } from './test/arguments';
import { runChecks } from './test/checks';
import { type Counts, sum, summary } from './test/counts';
import { runJest } from './test/jestRun';
import { howToGet, missingPackages } from './test/packages';

/** Only worth its time before a release and in CI: the package from a registry. */
const releaseOnly = '/communityInstall\\.test\\.ts$';

/** What some of the chosen tests need and do not find. */
async function missingFor({ projects }: Chosen): Promise<string[]> {
	if (!slow.projects.some((project) => projects.includes(project))) return [];
	const missing = await missingPackages();
	if (missing.length === 0 || process.env.CI !== 'true') return missing;
	throw new PlainError(`With CI=true nothing is skipped. ${howToGet(missing)}`);
}

async function runProjects(
	{ projects, workers }: typeof quick,
	chosen: Chosen,
	options: string[] = [],
): Promise<Counts[]> {
	const some = projects.filter((project) => chosen.projects.includes(project));
	return some.length > 0 ? [await runJest(some, [`--maxWorkers=${workers}`, ...options])] : [];
}

/** `npm test`: the checks beside the quick tests, then those that take an n8n. */
async function test(): Promise<void> {
	const chosen = readArguments(process.argv.slice(2));
	const missing = await missingFor(chosen);
	const [checks, tests] = await Promise.all([
		chosen.checks ? runChecks() : sum([]),
		runProjects(quick, chosen),
	]);
	const leftOut = chosen.all ? [] : [`--testPathIgnorePatterns=${releaseOnly}`];
	const total = sum([checks, ...tests, ...(await runProjects(slow, chosen, leftOut))]);
	console.log(`\n${summary(total)}`);
	if (missing.length > 0) console.log(`Skipped: ${howToGet(missing)}`);
	if (total.failed > 0) process.exitCode = 1;
}

runMain(test);
