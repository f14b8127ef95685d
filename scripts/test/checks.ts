import { show } from '../shared/subprocess';
import type { Counts } from './counts';

/** Commands of `package.json`, so that each can be run alone. */
const checks = ['format:check', 'lint', 'typecheck', 'build'];

/** Runs every check, also after one has failed; each counts like a test. */
export async function runChecks(): Promise<Counts> {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const check of checks) {
		const passed = (await show('npm', ['run', '--silent', check])) === 0;
		counts[passed ? 'passed' : 'failed'] += 1;
		console.log(`${passed ? 'PASS' : 'FAIL'} ${check}`);
	}
	return counts;
}
