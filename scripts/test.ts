import path from 'node:path';
import { missingPackages as missingForQueueMode } from './queue/debian';
import { findChromium } from './shared/chromium';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';
import { PlainError, runMain } from './shared/terminal';

/** Much of their time is waiting for a retry, so two files for each core. */
const quick = { projects: ['unit', 'engine', 'models', 'sandbox', 'package'], workers: 4 };

/** Their files start an n8n or a browser each: more of them at once would starve each other. */
const slow = { projects: ['e2e', 'browser'], workers: 3 };

/** Only worth their time before a release and in CI, which say `--all`. */
const onlyWithAll = [
	'e2e/(communityInstall|start)', // the package from a registry; what people start, to its end
	'e2e/queue', // seven programs
	'browser/walk', // the pictures of the documentation
	'package/(lint|recipe)', // our lint rules beside those of n8n's template; the recipe, in a copy
];

/** `npm test -- unit engine` runs some kinds of tests alone; `--all` leaves none of them out. */
export function readArguments(args: string[]) {
	const known = [...quick.projects, ...slow.projects];
	const named = args.filter((argument) => argument !== '--all');
	const unknown = named.find((project) => !known.includes(project));
	if (unknown !== undefined) {
		throw new PlainError(
			`There are no "${unknown}" tests. Choose one or more of these: ${known.join(', ')}.`,
		);
	}
	const isWhole = named.length === 0;
	return { projects: isWhole ? known : named, all: args.includes('--all'), isWhole };
}

/** The Debian packages that tests need, beside Node.js and npm, and that are not there. */
export function missingPackages(all = true): string[] {
	const browser = findChromium() === undefined ? ['chromium'] : [];
	return [...browser, ...(all ? missingForQueueMode() : [])];
}

/** `npm test`: format, lint and types, the quick tests, then those that take an n8n. */
async function test(): Promise<void> {
	const chosen = readArguments(process.argv.slice(2));
	const isSlow = slow.projects.some((project) => chosen.projects.includes(project));
	const missing = isSlow ? missingPackages(chosen.all) : [];
	const hint = `${missing.join(', ')} missing: sudo apt-get install ${missing.join(' ')}`;
	if (missing.length > 0 && process.env.CI === 'true') {
		throw new PlainError(`With CI=true nothing is skipped. ${hint}`);
	}
	const failed: string[] = [];
	const check = async () => {
		const { code, output } = await capture('npm', ['run', '--silent', 'check']);
		console.log(`Format, lint and types:\n${output}`);
		if (code !== 0) failed.push('check');
	};
	const run = async ({ projects, workers }: typeof quick) => {
		const some = projects.filter((project) => chosen.projects.includes(project));
		if (some.length === 0) return;
		const options = ['--selectProjects', ...some, '--ci', `--maxWorkers=${workers}`];
		const left = `/(${onlyWithAll.join('|')})\\.test\\.ts$`;
		if (!chosen.all) options.push(`--testPathIgnorePatterns=${left}`);
		const jest = path.join(projectRoot, 'node_modules', '.bin', 'jest');
		const { code } = await capture(jest, options, { isShown: true });
		if (code !== 0) failed.push(some.join(', '));
	};
	// The quick tests leave the processor free often enough.
	await Promise.all([chosen.isWhole ? check() : undefined, run(quick)]);
	await run(slow);
	if (missing.length > 0) console.log(`Skipped: ${hint}`);
	console.log(failed.length === 0 ? 'Nothing failed.' : `Failed: ${failed.join('; ')}`);
	if (failed.length > 0) process.exitCode = 1;
}

if (require.main === module) runMain(test);
