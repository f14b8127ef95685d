import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { nodeExecutable } from './localN8n/installation';
import { releaseOf, releases } from './localN8n/releases';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';
import { runMain } from './shared/terminal';

/** What is read of the file that jest writes. */
export interface JestResults {
	success: boolean;
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	testResults: Array<{ assertionResults: Array<{ fullName: string; status: string }> }>;
}

/** Runs the end-to-end tests on a version of n8n, with jest's usual output. */
async function runTests(version: string): Promise<JestResults> {
	const file = path.join(projectRoot, '.local', `compat-${version}.json`);
	await rm(file, { force: true });
	const options = ['--selectProjects', 'e2e', '--maxWorkers=2', '--ci', '--json'];
	const environment = { ...process.env, PAYMENT_PAGES_N8N: version };
	const args = [...options, `--outputFile=${file}`];
	await capture('jest', args, { environment, isShown: true });
	return JSON.parse(await readFile(file, 'utf8')) as JestResults;
}

/** What this n8n cannot do, each once, as the names of the skipped tests have it (`cannot`). */
export function reasonsOf({ testResults }: JestResults): string[] {
	const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
	const skipped = tests.filter(({ status }) => status === 'pending');
	const reasons = skipped.map(({ fullName: name }) => /\(skipped: (.*)\)$/.exec(name)?.[1] ?? name);
	return [...new Set(reasons)];
}

/** `npm run test:compat`: the end-to-end tests on each version of n8n that is known here, or on some. */
async function compat(): Promise<void> {
	const chosen = process.argv.slice(2).map((version) => releaseOf(version));
	const lines: string[] = [];
	// One after the other: each takes all of the machine.
	for (const release of chosen.length > 0 ? chosen : releases) {
		const results = await runTests(release.version);
		const node = await capture(nodeExecutable(release), ['--version']);
		const { success, numPassedTests, numFailedTests, numPendingTests } = results;
		const figures = [numPassedTests, numFailedTests, numPendingTests].join(' | ');
		const date = new Date().toISOString().slice(0, 10);
		lines.push(`| ${release.version} | ${node.output.trim()} | ${date} | ${figures} |`);
		lines.push(...reasonsOf(results).map((reason) => `- ${reason}`));
		if (!success) process.exitCode = 1;
	}
	console.log(`\nFor docs/compatibility.md:\n\n${lines.join('\n')}`);
}

if (require.main === module) runMain(compat);
