import { PlainError } from './shared/plainError';
import { runMain } from './shared/main';
import { runChecks } from './test/checks';
import { type Counts, sum, summary } from './test/counts';
import { runJest } from './test/jestRun';

const quickProjects = ['unit', 'engine', 'sandbox', 'package'];

/** Their files start an n8n or a browser each: one after the other, or they starve each other. */
const slowProjects = ['e2e', 'browser'];

async function runProjects(chosen: string[]): Promise<Counts[]> {
	const quick = quickProjects.filter((project) => chosen.includes(project));
	const slow = slowProjects.filter((project) => chosen.includes(project));
	const counts: Counts[] = [];
	if (quick.length > 0) counts.push(await runJest(quick, []));
	if (slow.length > 0) counts.push(await runJest(slow, ['--runInBand']));
	return counts;
}

/** `npm test` runs checks and all tests; `npm test -- unit engine` runs some kinds of tests alone. */
async function test(): Promise<void> {
	const all = [...quickProjects, ...slowProjects];
	const chosen = process.argv.slice(2);
	const unknown = chosen.find((project) => !all.includes(project));
	if (unknown !== undefined) {
		throw new PlainError(`There are no "${unknown}" tests. Choose from: ${all.join(', ')}.`);
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
