import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import TestRunner from 'jest-runner';

/** Milliseconds of each test by its full name, by file. */
type Durations = Record<string, Record<string, number>>;

type Run = Parameters<TestRunner['runTests']>;

/** The tests that Stryker asks for: it joins their names, each in brackets, in one expression. */
function wantedIn(pattern: string): Set<string> {
	const names = pattern.slice(1, -1).split(')|(');
	return new Set(names.map((name) => name.replace(/\\(.)/g, '$1')));
}

/**
 * Jest's runner, but for a mutant it opens only the files that have a test for it, the quickest first,
 * and ends with the first failure. It knows them from the run before the mutants.
 */
export default class MutantRunner extends TestRunner {
	private hasFailed = false;

	override async runTests(...args: Run): Promise<void> {
		const { rootDir, testNamePattern } = this._globalConfig;
		const file = path.join(rootDir, '.durations.json');
		if (testNamePattern === undefined) {
			writeFileSync(file, JSON.stringify(await this.measure(...args)));
		} else {
			const known = JSON.parse(readFileSync(file, 'utf8')) as Durations;
			await this.runUntilFailure(known, wantedIn(testNamePattern), args);
		}
	}

	private async measure(...args: Run): Promise<Durations> {
		const known: Durations = {};
		this.on('test-file-success', ([{ path: name }, { testResults }]) => {
			known[name] = Object.fromEntries(
				testResults.map(({ fullName, duration }) => [fullName, duration ?? 0]),
			);
		});
		await super.runTests(...args);
		return known;
	}

	private async runUntilFailure(known: Durations, wanted: Set<string>, [tests, ...rest]: Run) {
		this.on('test-file-failure', () => void (this.hasFailed = true));
		this.on('test-file-success', ([, { numFailingTests, testExecError }]) => {
			this.hasFailed ||= numFailingTests > 0 || testExecError !== undefined;
		});
		const chosen = tests
			.map((test) => {
				const own = Object.entries(known[test.path] ?? {}).filter(([name]) => wanted.has(name));
				return { test, own, milliseconds: own.reduce((sum, [, duration]) => sum + duration, 0) };
			})
			.filter(({ own }) => own.length > 0)
			.sort((one, other) => one.milliseconds - other.milliseconds);
		for (const { test } of chosen) {
			if (this.hasFailed && process.env.MUTATION_ALL_KILLERS === undefined) break;
			await super.runTests([test], ...rest);
		}
	}
}
