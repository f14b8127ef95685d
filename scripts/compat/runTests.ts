import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../shared/root';
import { show } from '../shared/subprocess';
import { jestOptions, skipsOf } from './skips';

/** What became of the tests of one file. */
export interface FileResult {
	/** As in `Skip`. */
	file: string;
	passed: number;
	/** Full names of tests. */
	failed: string[];
	skipped: string[];
}

/** What is read of the file that jest writes. */
interface JestResults {
	testResults: Array<{
		name: string;
		status: string;
		assertionResults: Array<{ fullName: string; status: string }>;
	}>;
}

function resultOf({
	name,
	status,
	assertionResults,
}: JestResults['testResults'][number]): FileResult {
	const named = (wanted: string[]) =>
		assertionResults.filter((each) => wanted.includes(each.status)).map((each) => each.fullName);
	const failed = named(['failed']);
	return {
		file: path.basename(name, '.test.ts'),
		passed: named(['passed']).length,
		// A file can fail without any of its tests, when it cannot be loaded.
		failed: status === 'failed' && failed.length === 0 ? ['the whole file'] : failed,
		skipped: named(['pending', 'todo', 'skipped']),
	};
}

/** All files with end-to-end tests. */
export async function testFiles(): Promise<string[]> {
	const names = await readdir(path.join(projectRoot, 'test', 'e2e'));
	const files = names.filter((name) => name.endsWith('.test.ts'));
	return files.map((name) => path.basename(name, '.test.ts')).toSorted();
}

/** Runs the end-to-end tests on a version of n8n, with jest's usual output. */
export async function runTests(version: string): Promise<FileResult[]> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-compat-'));
	const outputFile = path.join(folder, 'results.json');
	try {
		await show(
			path.join(projectRoot, 'node_modules', '.bin', 'jest'),
			[
				...['--selectProjects', 'e2e', '--maxWorkers=2'],
				...['--ci', '--json', `--outputFile=${outputFile}`],
				...jestOptions(skipsOf(version)),
			],
			{ environment: { ...process.env, PAYMENT_PAGES_N8N: version } },
		);
		const { testResults } = JSON.parse(await readFile(outputFile, 'utf8')) as JestResults;
		const results = testResults.map(resultOf);
		return results.toSorted((one, other) => one.file.localeCompare(other.file));
	} finally {
		await rm(folder, { recursive: true });
	}
}
