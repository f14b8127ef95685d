import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { nodeExecutable } from './localN8n/installation';
import { releaseOf, releases } from './localN8n/releases';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';
import { runMain } from './shared/terminal';

/** What is read of the file that jest writes. */
export interface JestResults
	extends Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests', number> {
	success: boolean;
	testResults: Array<{ assertionResults: Array<{ fullName: string; status: string }> }>;
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
		const file = path.join(projectRoot, '.local', 'compat.json');
		await rm(file, { force: true });
		const args = [
			'--selectProjects',
			'e2e',
			'--maxWorkers=2',
			'--ci',
			'--json',
			'--outputFile',
			file,
		];
		const environment = { ...process.env, PAYMENT_PAGES_N8N: release.version };
		await capture('jest', args, { environment, isShown: true });
		const results = JSON.parse(await readFile(file, 'utf8')) as JestResults;
		const node = await capture(nodeExecutable(release), ['--version']);
		const { success, numPassedTests, numFailedTests, numPendingTests } = results;
		const date = new Date().toISOString().slice(0, 10);
		const figures = [numPassedTests, numFailedTests, numPendingTests].join(' | ');
		lines.push(`| ${release.version} | ${node.output.trim()} | ${date} | ${figures} |`);
		lines.push(...reasonsOf(results).map((reason) => `- ${reason}`));
		if (!success) process.exitCode = 1;
	}
	console.log(`\nFor docs/compatibility.md:\n\n${lines.join('\n')}`);
}

if (require.main === module) runMain(compat);
