import { config as n8n } from '@n8n/node-cli/eslint';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What n8n reviews. Everything else is for people who develop and never gets into the package. */
const reviewed = ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'];

/** A warning as an error: `n8n-node lint` passes in spite of warnings. */
const asError = ([rule, level]) => [rule, level === 'warn' ? 'error' : level];

/** The rules that n8n has for nodes and credentials alone. */
const rulesOfNodes = n8n
	.flatMap(({ rules = {} }) => Object.keys(rules))
	.filter((rule) => /^@?n8n/.test(rule));

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
	'scripts/shared': ['bench', 'localN8n', 'queue', 'start'],
	'scripts/localN8n': ['bench', 'queue', 'start'],
	'scripts/queue': ['bench', 'start'],
};

export default defineConfig(
	n8n.map((part) => ({
		...part,
		...(part.rules && { rules: Object.fromEntries(Object.entries(part.rules).map(asError)) }),
	})),
	globalIgnores(['coverage/', '.local/']),
	// As in n8n's review: no comment in the source switches a rule off.
	{ linterOptions: { noInlineConfig: true } },

	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strictTypeChecked],
		languageOptions: {
			parserOptions: { project: ['tsconfig.json', 'tsconfig.dev.json'] },
		},
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
		files: ['**/*.ts'],
		ignores: reviewed,
		rules: {
			...Object.fromEntries(rulesOfNodes.map((rule) => [rule, 'off'])),
			'no-console': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		// Control characters are what is looked for in a pasted key.
		rules: { 'no-control-regex': 'off' },
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			// Jest's asymmetric matchers, such as expect.any(), are typed as any.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-base-to-string': 'off',
			// Numbers that JavaScript can't hold are what many tests are about.
			'no-loss-of-precision': 'off',
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
