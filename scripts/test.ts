import { PlainError } from './shared/plainError';
import { runMain } from './shared/main';
import { runChecks } from './test/checks';
import { type Counts, sum, summary } from './test/counts';
import { runJest } from './test/jestRun';
import { howToGet, missingPackages } from './test/packages';

/** Much of their time is waiting for a retry, so two files for each core. */
const quick = { projects: ['unit', 'engine', 'models', 'sandbox', 'package'], workers: 4 };

/**
 * Their files start an n8n or a browser each: more of them at once would starve each other. Jest runs the
 * slowest first, by what they took the last time.
 */
const slow = { projects: ['e2e', 'browser'], workers: 2 };

/** Only worth its time before a release and in CI: the package from a registry. */
const releaseOnly = '/communityInstall\\.test\\.ts$';

interface Chosen {
	projects: string[];
	/** Whether what is only worth its time before a release is among them. */
	all: boolean;
	checks: boolean;
}

/** `npm test -- unit engine` runs some kinds of tests alone; `--all` leaves none of them out. */
function readArguments(args: string[]): Chosen {
	const known = [...quick.projects, ...slow.projects];
	const named = args.filter((argument) => argument !== '--all');
	const unknown = named.find((project) => !known.includes(project));
	if (unknown !== undefined) {
		throw new PlainError(
			`There are no "${unknown}" tests. Choose one or more of these: ${known.join(', ')}.`,
		);
	}
	const checks = named.length === 0;
	return { projects: checks ? known : named, all: args.includes('--all'), checks };
}

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
