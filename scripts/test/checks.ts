import { packPackage } from '../pack';
import { capture } from '../shared/subprocess';
import type { Counts } from './counts';

/** Runs a command of `package.json`; rejects with what it printed. */
async function npmRun(command: string): Promise<void> {
	const { code, output } = await capture('npm', ['run', '--silent', command]);
	if (code !== 0) throw new Error(output);
}

const checks: Record<string, () => Promise<unknown>> = {
	'format:check': () => npmRun('format:check'),
	lint: () => npmRun('lint'),
	typecheck: () => npmRun('typecheck'),
	// Not `npm run build`: the tests that run meanwhile pack the package, too.
	build: packPackage,
};

/**
 * Runs every check, also after one has failed; each counts like a test. What it printed is shown when
 * it has failed.
 */
export async function runChecks(): Promise<Counts> {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const [name, check] of Object.entries(checks)) {
		try {
			await check();
			counts.passed += 1;
			console.log(`PASS ${name}`);
		} catch (error) {
			counts.failed += 1;
			console.log(`${error instanceof Error ? error.message : String(error)}\nFAIL ${name}`);
		}
	}
	return counts;
}
