import { PlainError } from './shared/plainError';
import { runMain } from './shared/main';
import { runChecks } from './test/checks';
import { type Counts, sum, summary } from './test/counts';
import { runJest } from './test/jestRun';

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

/** `npm test` runs checks and all tests; `npm test -- unit engine` runs some kinds of tests alone. */
async function test(): Promise<void> {
	const all = [...quick.projects, ...slow.projects];
	const chosen = process.argv.slice(2);
	const unknown = chosen.find((project) => !all.includes(project));
	if (unknown !== undefined) {
		throw new PlainError(
			`There are no "${unknown}" tests. Choose one or more of these: ${all.join(', ')}.`,
		);
	}
	const counts =
		chosen.length > 0
			? await runProjects(chosen)
			: [await runChecks(), ...(await runProjects(all))];
	const total = sum(counts);
	console.log(`\n${summary(total)}`);
	if (total.failed > 0) process.exitCode = 1;
}

runMain(test);
