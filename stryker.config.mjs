/** How `npm run test:mutation` breaks the nodes; `test/README.md` says what for. */

const isSample = process.env.MUTATION_SAMPLE !== undefined;

/** These say nothing about the nodes, read their code as text, or need a process of their own. */
const leftOut = ['unit/(bench|dockerCompose|docs|imports)', 'engine/blockedAddress'];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: ['nodes/**/*.ts'],
	plugins: ['@stryker-mutator/jest-runner', './scripts/mutation/sample.mjs'],
	checkers: isSample ? ['sample'] : [],
	testRunner: 'jest',
	jest: {
		// A file without any configuration: `jest.config.ts` has many projects, and here is one.
		configFile: 'package.json',
		enableFindRelatedTests: false,
		config: {
			roots: ['unit', 'engine', 'models'].map((kind) => `<rootDir>/test/${kind}`),
			testMatch: ['**/*.test.ts'],
			testPathIgnorePatterns: leftOut.map((names) => `/test/${names}\\.test\\.ts$`),
			testTimeout: 30_000,
			transform: {
				'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
			},
			runner: '<rootDir>/scripts/mutation/runner.ts',
			runtime: '<rootDir>/scripts/mutation/runtime.mjs',
			testEnvironment: './scripts/mutation/environment.ts',
			testEnvironmentOptions: { globalsCleanup: 'off' },
		},
	},
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	// A sample is not continued: what was left out of one would be left out of the next.
	incremental: !isSample,
	incrementalFile: '.local/mutation/incremental.json',
	tempDirName: '.local/mutation/sandbox',
	ignorePatterns: ['.local', 'bench', 'dist', 'docker'],
	disableTypeChecks: false,
	reporters: ['clear-text', 'json', 'progress-append-only'],
	jsonReporter: { fileName: '.local/mutation/report.json' },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	concurrency: 2,
	// A loaded machine must not kill mutants.
	timeoutMS: 60_000,
	timeoutFactor: 3,
	dryRunTimeoutMinutes: 30,
	// What a mutant left behind in the process is gone after some others.
	maxTestRunnerReuse: 50,
};
