import { capture } from '../shared/subprocess';
import type { Counts } from './counts';

/** Commands of `package.json`, so that each can be run alone. */
const checks = ['format:check', 'lint', 'typecheck', 'build'];

/**
 * Runs every check, also after one has failed; each counts like a test. What it printed is shown when
 * it has failed.
 */
export async function runChecks(): Promise<Counts> {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const check of checks) {
		const { code, output } = await capture('npm', ['run', '--silent', check]);
		const passed = code === 0;
		counts[passed ? 'passed' : 'failed'] += 1;
		console.log(passed ? `PASS ${check}` : `${output}\nFAIL ${check}`);
	}
	return counts;
}
