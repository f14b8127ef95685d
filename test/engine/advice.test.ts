import type { INodeParameters } from 'n8n-workflow';

import { startAnsweringServer, type AnsweringServer, type ServerAnswer } from './answeringServer';
import type { Outcome } from './harness';
import { automatic, credentialsFor, register, useSandbox } from './sandbox';

/** What a failed item is told to do next: it fits the operation, and says what is in doubt. */
const sandbox = useSandbox();

beforeAll(() => {
	// The shortest waits before a retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});

const inDoubt = 'The request may still have been processed.';

const operations: Record<string, INodeParameters> = {
	create: automatic('create'),
	'create, asking first': automatic('create', { ifReferenceExists: 'skip' }),
	update: { operation: 'update', id: '={{ $json.id }}', updateFields: { amount: '5' } },
	validate: { operation: 'validateReference', paymentPageLinkReference: 'a' },
	register: { ...register, webhookUrl: 'https://hooks.shop.example/x' },
};

async function run(parameters: INodeParameters, { baseUrl }: AnsweringServer, count = 1) {
	return await sandbox.run({
		rows: Array.from({ length: count }, (_row, index) => ({
			id: index,
			paymentPageLinkReference: `page-${index}`,
		})),
		parameters: {
			...parameters,
			options: { ...(parameters.options as object), maxParallelRequests: 1 },
		},
		credentials: credentialsFor(sandbox.service, { baseUrl, webhookSecret: 'long-secret' }),
	});
}

async function runAt(
	answerTo: (count: number) => ServerAnswer,
	parameters: INodeParameters,
	count?: number,
): Promise<Outcome> {
	let requests = 0;
	const server = await startAnsweringServer(() => answerTo(++requests));
	const outcome = await run(parameters, server, count);
	await server.stop();
	return outcome;
}

function told({ error }: Outcome): string {
	return `${error?.message} ${error?.description}`;
}

const success =
	'{"responseCode":"00","data":{"isValid":false,"paymentPageLinkReference":"page-0"}}';

describe('only a create is told of If Reference Exists', () => {
	const answers: Record<string, ServerAnswer> = {
		'a refusal': { body: '{"responseCode":"91"}' },
		'a web page': { headers: { 'content-type': 'text/html' }, body: '<html></html>' },
		'a lost answer': { status: 500 },
		'a redirect': { status: 302 },
		'a wrong key': { status: 401 },
	};

	test.each(
		['update', 'validate', 'register'].flatMap((name) =>
			Object.keys(answers).map((answer) => [name, answer] as const),
		),
	)('%s, %s', async (name, answer) => {
		// The second item fails, so that the error also lists what is done.
		const outcome = await runAt(
			(count) => (count === 1 ? { body: success } : (answers[answer] ?? {})),
			operations[name] ?? {},
			2,
		);
		expect(told(outcome)).toContain('1 of 2 rows is finished.');
		expect(told(outcome)).not.toContain('If Reference Exists');
		expect(told(outcome)).toMatch(/A new run (sends|checks) all rows again\.$/);
	});

	test('which finishes what is missing', async () => {
		const outcome = await runAt(
			(count) => ({ body: count === 1 ? success : '{"responseCode":"91"}' }),
			automatic('create'),
			2,
		);
		expect(told(outcome)).toMatch(
			/1 of 2 rows is finished\. To go on, set 'If Reference Exists' to 'Skip' and run again: only the missing pages are created\.$/,
		);
	});
});

describe('a request that may have been processed', () => {
	/** The first answer is lost; then nobody listens any more. */
	async function runAtDyingService(parameters: INodeParameters): Promise<Outcome> {
		const server: AnsweringServer = await startAnsweringServer(() => {
			void server.stop();
			return { status: 502 };
		});
		const outcome = await run(parameters, server);
		expect(server.requests).toHaveLength(1);
		return outcome;
	}

	test.each(['update', 'register'])(
		'%s says so, though its last try was not sent',
		async (name) => {
			const outcome = await runAtDyingService(operations[name] ?? {});
			expect(outcome.error?.message).toBe('Nothing accepts connections at the Base URL');
			expect(told(outcome)).toContain(inDoubt);
		},
	);

	test('a question has changed nothing', async () => {
		const outcome = await runAtDyingService(operations.validate ?? {});
		expect(told(outcome)).not.toContain(inDoubt);
	});

	test.each([
		// Asks itself, and says what it found.
		['create', false],
		['create, asking first', false],
		['update', true],
		['validate', false],
		['register', true],
	])('%s after a server error: %j', async (name, expected) => {
		const outcome = await runAt(() => ({ status: 500 }), operations[name] ?? {});
		expect(told(outcome).includes(inDoubt)).toBe(expected);
	});

	test('a create says what is known of the page, and then what to do', async () => {
		const outcome = await runAt(() => ({ status: 500 }), operations.create ?? {});
		expect(told(outcome)).toMatch(
			/it could not be determined whether the page "page-0" was created Before you run again, set 'If Reference Exists' to 'Skip'/,
		);
	});

	test.each(Object.keys(operations))('%s was not, when it was refused', async (name) => {
		const outcome = await runAt(() => ({ body: '{"responseCode":"91"}' }), operations[name] ?? {});
		expect(told(outcome)).not.toContain(inDoubt);
	});
});
