/** Tests of what an n8n cannot do, whatever the package does. Nothing is in here for being red. */
export interface Skip {
	versions: string[];
	/** The name of the file in `test/e2e`, without its ending. */
	file: string;
	/** The full names of the tests, groups included; without them, it is the whole file. */
	tests?: string[];
	/** What the n8n cannot do: a sentence that people read. */
	reason: string;
}

const beforePublicationService = ['1.123.77', '2.0.3'];

const withoutTables = 'Its Data Table node has no version 1.1 and cannot find a table by its name.';

export const skips: Skip[] = [
	{
		versions: beforePublicationService,
		file: 'agent',
		tests: [
			'an agent of the newest version gets a page for each call, and words for each that fails',
			'an agent of version 3 checks, creates, and mends what was rejected, turn after turn',
		],
		reason: 'Its AI Agent of version 3 ends the execution when a call of a tool fails.',
	},
	...['examples', 'paymentExamples', 'reminders'].map((file) => ({
		versions: beforePublicationService,
		file,
		reason: withoutTables,
	})),
	{
		versions: beforePublicationService,
		file: 'start',
		tests: [
			'makes pages of the CRM rows, prints their links and ends, with --once',
			'does so in queue mode, too',
		],
		reason: withoutTables,
	},
	{
		versions: beforePublicationService,
		file: 'networks',
		tests: ["behind n8n's proxy goes through it when it does not refuse"],
		reason: 'n8n does not ignore SSL issues of a service that it reaches through a proxy.',
	},
	{
		versions: beforePublicationService,
		file: 'triggerConcurrency',
		tests: ['an event that waits for a place starts the workflow once for each try'],
		reason:
			'n8n answers an event while its execution waits for a place, so that the service does not send it again.',
	},
	{
		versions: ['2.0.3'],
		file: 'triggerConcurrency',
		tests: ['an event that waits for a place when n8n crashes is started afterwards'],
		reason: 'n8n never starts an event that waited for a place when it was stopped.',
	},
	{
		versions: beforePublicationService,
		file: 'waitForPayment',
		tests: ['does not go on for somebody who guesses the number of the execution'],
		reason:
			'Its resume URL has no token, so anybody who guesses the number of an execution that waits can continue it.',
	},
	{
		versions: beforePublicationService,
		file: 'triggerContent',
		tests: ['keeps the content of JSON with a byte order mark'],
		reason: 'n8n itself rejects JSON with a byte order mark, before the trigger sees it.',
	},
	{
		versions: beforePublicationService,
		file: 'triggerContent',
		tests: ['starts nothing for a multipart form without an edge'],
		reason: 'n8n hands on a multipart form that it cannot read, as an event without a body.',
	},
	{
		versions: beforePublicationService,
		file: 'triggerRegistration',
		tests: [
			'a service that looks at the address while it registers it finds it there for events also when an earlier try to register it failed',
		],
		reason: 'It tries to publish a workflow once, so that there is no later try.',
	},
	{
		versions: beforePublicationService,
		file: 'wholeWorkflows',
		tests: ['cannot pair an item that n8n refuses before the node sees it; the others stay paired'],
		reason:
			'When n8n cannot evaluate an expression of one item and the node is set to continue, n8n passes on all input items unchanged on the first output, including those without a page.',
	},
];

export function skipsOf(version: string): Skip[] {
	return skips.filter(({ versions }) => versions.includes(version));
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The options of jest that leave these tests out. */
export function jestOptions(chosen: Skip[]): string[] {
	const names = chosen.flatMap(({ tests = [] }) => tests).map(escaped);
	const files = chosen.filter(({ tests }) => !tests).map(({ file }) => `/${file}.test.ts$`);
	return [
		...(names.length > 0 ? [`--testNamePattern=^(?!(?:${names.join('|')})$)`] : []),
		...files.map((file) => `--testPathIgnorePatterns=${file}`),
	];
}
