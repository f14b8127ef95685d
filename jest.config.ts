import type { Config } from 'jest';

// Nothing must depend on the zone of the machine; where that is UTC, no test would notice.
process.env.TZ = 'America/New_York';

/** One jest project for each kind of test; `test/README.md` says what each is for. */
const kinds = ['unit', 'engine', 'models', 'sandbox', 'package', 'e2e', 'browser'];

/** These run n8n: all their files share one packed tarball, made once. */
const needN8n = ['e2e', 'browser'];

const config: Config = {
	maxWorkers: 2,
	testTimeout: 120_000, // for a busy machine
	testSequencer: '<rootDir>/test/support/slowFirst.cjs',
	projects: kinds.map((kind) => ({
		displayName: kind,
		testEnvironment: 'node',
		roots: [`<rootDir>/test/${kind}`],
		testMatch: ['**/*.test.ts'],
		transform: {
			'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
		},
		...(kind === 'browser'
			? { setupFilesAfterEnv: ['<rootDir>/test/browser/support/needsChromium.ts'] }
			: {}),
		...(needN8n.includes(kind)
			? {
					globalSetup: '<rootDir>/test/e2e/globalSetup.ts',
					globalTeardown: '<rootDir>/test/e2e/globalTeardown.ts',
				}
			: {}),
	})),
};

export default config;
