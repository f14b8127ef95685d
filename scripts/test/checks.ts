import path from 'node:path';
import { buildPackage } from '../build';
import { PlainError } from '../shared/plainError';
import { projectRoot } from '../shared/root';
import { show } from '../shared/subprocess';
import type { Counts } from './counts';

function tool(name: string, args: string[]): () => Promise<boolean> {
	const program = path.join(projectRoot, 'node_modules', '.bin', name);
	return async () => (await show(program, args)) === 0;
}

async function builds(): Promise<boolean> {
	try {
		await buildPackage();
		return true;
	} catch (error) {
		if (!(error instanceof PlainError)) throw error;
		console.error(error.message);
		return false;
	}
}

const checks: Array<[string, () => Promise<boolean>]> = [
	['format', tool('prettier', ['--check', '--log-level=warn', '.'])],
	['lint', tool('eslint', ['--max-warnings=0', '.'])],
	['types', tool('tsc', ['--noEmit'])],
	['build', builds],
];

/** Runs every check, also after one has failed; each counts like a test. */
export async function runChecks(): Promise<Counts> {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const [name, check] of checks) {
		const passed = await check();
		counts[passed ? 'passed' : 'failed'] += 1;
		console.log(`${passed ? 'PASS' : 'FAIL'} ${name}`);
	}
	return counts;
}
