import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../shared/root';
import { show } from '../shared/subprocess';
import type { Counts } from './counts';

/** What is read of the file that jest writes. */
interface JestResults {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	numTodoTests: number;
	/** Files that broke before their tests could run. */
	numRuntimeErrorTestSuites: number;
}

function countsOf(results: JestResults): Counts {
	return {
		passed: results.numPassedTests,
		failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
		skipped: results.numPendingTests + results.numTodoTests,
	};
}

/** Runs jest over some of its projects, with its usual output, and counts. */
export async function runJest(projects: string[], options: string[]): Promise<Counts> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-jest-'));
	const outputFile = path.join(folder, 'results.json');
	try {
		const code = await show(path.join(projectRoot, 'node_modules', '.bin', 'jest'), [
			...['--selectProjects', ...projects],
			...['--ci', '--json', `--outputFile=${outputFile}`],
			...options,
		]);
		const counts = await readFile(outputFile, 'utf8')
			.then((text) => countsOf(JSON.parse(text) as JestResults))
			// Jest ended before it could write: its own message is on the terminal.
			.catch(() => ({ passed: 0, failed: 1, skipped: 0 }));
		// Whatever else jest objects to, such as an obsolete option, is a failure, too.
		return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
	} finally {
		await rm(folder, { recursive: true });
	}
}
