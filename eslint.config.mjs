import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Which folders the files of a folder must not import: no import runs back up (docs/architecture.md). */
const floors = {
	'nodes/shared': ['PaymentPage', 'PaymentPageTrigger'],
	'nodes/PaymentPage/run': ['operations', 'fields'],
	'nodes/PaymentPage/fields': ['operations', 'run'],
	'nodes/PaymentPageTrigger/verification': ['registration', 'testListen', 'webhook'],
	'nodes/PaymentPageTrigger/registration': ['testListen', 'webhook'],
	'nodes/PaymentPageTrigger/testListen': ['webhook'],
	sandbox: ['scripts', 'test', 'bench', 'nodes'],
	scripts: ['bench'],
};

export default defineConfig(
	globalIgnores(['dist/', 'coverage/', '.local/']),

	// What n8n's review runs on a submitted package. It is taken from the scanner itself, so that
	// "clean here" means "clean there", and like there no comment in the source switches a rule off.
	{ linterOptions: { noInlineConfig: true } },
	{ files: SOURCE_FILE_PATTERNS, extends: [await buildScanConfig()] },

	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strictTypeChecked],
		languageOptions: { parserOptions: { projectService: true } },
		rules: {
			// One import of a module: `import { a, type B }`, or `import type { B }` for types alone.
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-import-type-side-effects': 'error',
			'no-duplicate-imports': 'error',
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			// Numbers and booleans read well in a message; objects and undefined do not.
			'@typescript-eslint/restrict-template-expressions': [
				'error',
				{ allowNumber: true, allowBoolean: true },
			],
			// An async function without await is how an interface that wants a promise is met.
			'@typescript-eslint/require-await': 'off',
			eqeqeq: 'error',
			'no-empty': 'error',
			'no-var': 'error',
			'prefer-const': 'error',
		},
	},
	...Object.entries(floors).map(([folder, above]) => ({
		files: [`${folder}/**/*.ts`],
		rules: {
			'no-restricted-imports': [
				'error',
				{ patterns: [{ group: above.map((name) => `**/${name}/**`) }] },
			],
		},
	})),
	{
		files: ['test/**/*.ts'],
		rules: {
			// Jest's asymmetric matchers, such as expect.any(), are typed as any.
			'@typescript-eslint/no-unsafe-assignment': 'off',
		},
	},
	{
		files: ['**/*.{js,mjs}'],
		extends: [tseslint.configs.recommended],
		rules: { 'no-empty': 'error' },
	},
	{
		// gulp loads its file as CommonJS.
		files: ['gulpfile.js'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
);
