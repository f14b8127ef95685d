import type { FaultRule } from '../../sandbox';
import type { ServerAnswer } from '../support/answeringServer';
import { useQuickWaits } from '../support/quickWaits';
import { anyRow, automatic, existing, operations, told, useSandbox } from './sandbox';

/** What goes wrong at the service: its words, and what each operation does (networks.test.ts: on the way). */
useQuickWaits();
const sandbox = useSandbox();

type Operation = keyof typeof operations;

const names = Object.keys(operations) as Operation[];

/**
 * The methods of the requests that an operation sends, first letters alone, while every one but the
 * question of a create fails in this way; `?` where the item then says that it may have been done.
 */
const matrix = {
	rejected: { create: 'P', skip: 'GP', update: 'P', validate: 'G', register: 'P' },
	// The answer came, and does not tell: another would not either.
	unreadable: { create: 'PG', skip: 'GPG', update: 'P?', validate: 'G', register: 'P?' },
	answerLost: { create: 'PG', skip: 'GPG', update: 'PPPP?', validate: 'GGGG', register: 'PPPP?' },
	// The service did nothing.
	busy: { create: 'PPPP', skip: 'GPPPP', update: 'PPPP', validate: 'GGGG', register: 'PPPP' },
} satisfies Record<string, Record<Operation, string>>;

type Kind = keyof typeof matrix;

const envelope = '{"responseCode":"X1","responseMessage":"words of the service"}';
const page = '<!DOCTYPE html><html><body>secret page source</body></html>';
const html = { 'content-type': 'text/html' };

interface Failure {
	answer: ServerAnswer;
	kind: Kind;
	message: string | RegExp;
	advice: RegExp;
}

function status(code: number, kind: Kind, words: string, advice: RegExp, retryAfter = ''): Failure {
	const headers: ServerAnswer['headers'] = retryAfter === '' ? {} : { 'retry-after': retryAfter };
	const message = `${words} (HTTP ${code}): words of the service (code "X1")`;
	return { answer: { status: code, headers, body: envelope }, kind, message, advice };
}

function redirect(code: number, kind: Kind, location?: string, place = 'another URL'): Failure {
	const message = `The service redirected the request to ${place} (HTTP ${code})`;
	const headers: ServerAnswer['headers'] = location === undefined ? {} : { location };
	return {
		answer: { status: code, headers },
		kind,
		message,
		advice: /^Compare http.* 'Base URL' /,
	};
}

function unreadable(body: string, what: string, headers = {}): Failure {
	const advice = /Compare http.* 'Base URL' .* before '\/PaymentPages\/Add'/;
	const message = `The service returned ${what}`;
	return { answer: { body, headers }, kind: 'unreadable', message, advice };
}

function code(body: string, message: string): Failure {
	return { answer: { body }, kind: 'rejected', message, advice: /support can explain the code/ };
}

const tooMany = 'The service is receiving too many requests';
const notNow = 'The service could not process the request';
const slow = 'The service took too long to respond';
const later = /^Try again later, or contact/;
const notOfThisInterface = 'a response that is not one of this interface';

const failures: Record<string, Failure> = {
	'400': status(400, 'rejected', 'The service rejected the request', /Compare the values/),
	'401': status(401, 'rejected', 'The service does not accept the key', /^Enter the .* does not/),
	'403': status(
		403,
		'rejected',
		'The service does not allow this with this key',
		/merchant ID and the key in the credential belong together/,
	),
	'404': {
		...status(404, 'rejected', '', /^Compare it with the address in the service's documentation/),
		message: /^Nothing is at http:\/\/127\S+\/(PaymentPages|Webhook)\S+ \(HTTP 404\): words of/,
	},
	'407': status(407, 'rejected', "n8n's proxy requires a user name and a password", /^Add them/),
	'408': status(408, 'answerLost', slow, /^Try again later\.( |$)/),
	'422': status(422, 'rejected', 'The service rejected the request', /Compare the values/),
	'429': status(429, 'busy', tooMany, /^Lower 'Max Parallel Requests'/),
	'429, soon': status(429, 'busy', tooMany, /^Lower 'Max Parallel Requests'/, 'soon'),
	'500': status(500, 'answerLost', notNow, later),
	'502': status(502, 'answerLost', notNow, later),
	'503': status(503, 'answerLost', notNow, later),
	'503, soon': status(503, 'answerLost', notNow, later, 'soon'),
	'503, with a time': status(503, 'busy', notNow, later, '0'),
	'504, with a time': status(504, 'answerLost', slow, /^Try again later\.( |$)/, '0'),
	'301': redirect(301, 'rejected', 'https://login.example/in?x=1', 'https://login.example'),
	'302': redirect(302, 'unreadable', 'https://login.example/', 'https://login.example'),
	'303': redirect(303, 'unreadable'),
	'307': redirect(307, 'rejected'),
	'308': redirect(308, 'rejected', 'https://[', 'another URL'),
	'an error page': {
		answer: { status: 500, headers: html, body: page },
		kind: 'answerLost',
		message: `${notNow} (HTTP 500)`,
		advice: later,
	},
	'a web page': unreadable(page, 'a web page instead of data'),
	'a web page by its type': unreadable('Hi', 'a web page instead of data', html),
	'a part of a page': unreadable(' \n<HEAD>', 'a web page instead of data'),
	XML: unreadable('<?xml version="1.0"?>', 'a web page instead of data'),
	nothing: unreadable(' \n', 'an empty response'),
	'invalid JSON': unreadable('{"responseCode":"00"', 'invalid JSON'),
	'a list': unreadable('["00"]', notOfThisInterface),
	null: unreadable('null', notOfThisInterface),
	'no code': unreadable('{"data":{"isValid":true}}', notOfThisInterface),
	'a number as code': unreadable('{"responseCode":0}', notOfThisInterface),
	'a list as code': unreadable('{"responseCode":["00"]}', notOfThisInterface),
	'another spelling': code(
		'{"responseCode":"0"}',
		'The service rejected the request with code "0" and gave no reason',
	),
	'a blank in the code': code(
		'{"responseCode":" 00"}',
		'The service rejected the request with code "00" and gave no reason',
	),
	'another code': code(
		envelope,
		'The service rejected the request: words of the service (code "X1")',
	),
};

describe.each(Object.entries(failures))('the answer %s', (_name, failure) => {
	const { answer, kind, message, advice } = failure;

	test.each(names)('to %s', async (operation) => {
		const isCreate = operation === 'create' || operation === 'skip';
		const outcome = await sandbox.runAt(
			({ method }) => (isCreate && method === 'GET' ? existing(false) : answer),
			{ rows: [anyRow], parameters: operations[operation] },
		);
		const { error, output, run, sent } = outcome;
		const [methods, isInDoubt] = matrix[kind][operation].split('?');
		expect(sent.map(({ method }) => method.charAt(0)).join('')).toBe(methods);
		expect(output).toEqual([]);
		const isAsked = isCreate && /PG$/.test(methods ?? '');
		const finding = isAsked ? '; the page "a" does not exist yet' : '';
		if (typeof message === 'string') expect(error?.message).toBe(`${message}${finding}`);
		else expect(error?.message).toMatch(message);
		if (!isAsked) expect(error?.description).toMatch(advice);
		expect(told(outcome).includes('The request may still have been processed.')).toBe(
			isInDoubt !== undefined,
		);
		// What to do next time fits the operation.
		expect(told(outcome).includes("set 'If Reference Exists' to 'Skip'")).toBe(
			isAsked && operation === 'create',
		);
		expect(told(outcome).includes('Run again a little later: the node checks first.')).toBe(
			isAsked && operation === 'skip',
		);
		expect(JSON.stringify(run)).not.toContain('page source');
	});

	test('to the question of a create, which then creates nothing', async () => {
		const parameters = operations.skip;
		const { error, sent } = await sandbox.runAt(() => answer, { rows: [anyRow], parameters });
		const methods = sent.map(({ method }) => method.charAt(0)).join('');
		expect(methods).toBe(matrix[kind].validate);
		expect(error).toBeDefined();
	});
});

test.each(names.filter((name) => name !== 'skip'))(
	'%s names the key that it takes',
	async (name) => {
		const { error } = await sandbox.run({
			rows: [anyRow],
			parameters: operations[name],
			credential: { privateKey: 'wrong-key', apiKey: 'wrong-key' },
		});
		const ofRegister = /^Enter the API key \(.*The merchant's private key does not work here\./;
		const ofPages = /^Enter the merchant's private key .* The API key from Settings does not work/;
		expect(error?.description).toMatch(name === 'register' ? ofRegister : ofPages);
	},
);

describe('a create whose answer was lost', () => {
	const isThere = '; a page "a" exists, but it may have existed before';

	const create = async (ifReferenceExists: string, ...faults: FaultRule[]) => {
		sandbox.fail(...faults);
		return await sandbox.run({
			rows: [anyRow],
			parameters: automatic('create', { ifReferenceExists }),
		});
	};

	test.each<Omit<FaultRule, 'endpoint'>>([
		{ kind: 'cutAfterStoring' },
		{ kind: 'serverError', stored: true },
		{ kind: 'html', stored: true },
		{ kind: 'numericCode' },
	])('made a page: %j', async (fault) => {
		const outcome = await create('create', { endpoint: 'create', ...fault });
		expect(sandbox.methods).toEqual(['POST', 'GET']);
		expect(told(outcome)).toContain(
			`${isThere} Check the page at the service before you run again.`,
		);
		await sandbox.service.reset();
		// Who asked first knows that the page is its own.
		for (const choice of ['skip', 'error']) {
			const { output } = await create(choice, { endpoint: 'create', ...fault });
			expect(sandbox.methods).toEqual(['GET', 'POST', 'GET']);
			const unknown = { id: null, paymentPageLink: null };
			const json = { ...anyRow, ...unknown, isFixedAmount: false, recovered: true };
			expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
			expect(sandbox.references).toEqual(['a']);
			await sandbox.service.reset();
		}
	});

	test.each(['serverError', 'brokenJson'] as const)(
		'is in doubt when the service does not tell either: %s',
		async (kind) => {
			const outcome = await create(
				'create',
				{ endpoint: 'create', kind: 'cutAfterStoring' },
				{ endpoint: 'validate', kind },
			);
			expect(told(outcome)).toMatch(
				/; it could not be determined whether the page "a" was created Before you run again, set 'If Reference Exists' to 'Skip', so that no page is created twice\./,
			);
			expect(sandbox.references).toEqual(['a']);
			// A rerun with Skip makes no second one.
			const { output } = await create('skip');
			expect(output[0]?.json).toMatchObject({ skipped: true, exists: true });
			expect(sandbox.references).toEqual(['a']);
		},
	);

	test('has no reference to ask for with Skip when it is derived', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'cutBeforeStoring' });
		const parameters = operations.create;
		const outcome = await sandbox.run({ rows: [{ pageName: 'A' }], parameters });
		expect(told(outcome)).toMatch(
			/the page "a" does not exist yet Look for the page at the service before you run again\.$/,
		);
	});

	test('is told with an excerpt of a long reference', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'cutBeforeStoring' });
		const rows = [{ paymentPageLinkReference: 'r'.repeat(5000) }];
		const { error } = await sandbox.run({ rows, parameters: operations.create });
		expect(error?.message).toContain(`the page "${'r'.repeat(60)}…" does not exist yet`);
	});
});

test.each([
	{ kind: 'latency', milliseconds: 300 },
	{ kind: 'latency', milliseconds: 300, stored: true },
	{ kind: 'slowBody', milliseconds: 300 },
] as const)('an answer that comes late is waited for: %j', async (fault) => {
	sandbox.fail({ endpoint: 'any', ...fault });
	const { output } = await sandbox.run({ rows: [anyRow], parameters: operations.skip });
	expect(output[0]?.json).toMatchObject({ ...anyRow, id: 1 });
	expect(sandbox.methods).toEqual(['GET', 'POST']);
});

test.each([
	['create', 'tooManyRequests'],
	['update', 'serverError'],
	['validate', 'cutAfterStoring'],
	['register', 'cutBeforeStoring'],
] as const)('%s succeeds in a later try', async (endpoint, kind) => {
	await sandbox.run({ rows: [anyRow], parameters: operations.create });
	sandbox.fail({ endpoint, kind, times: 1 });
	const { output } = await sandbox.run({ rows: [anyRow], parameters: operations[endpoint] });
	expect(output).toHaveLength(1);
	expect(sandbox.requests).toHaveLength(3);
});

test.each([
	[200, 'The service rejected the request: '],
	[400, 'The service rejected the request (HTTP 400): '],
])('words and code of HTTP %i are bounded, and on one line', async (status, start) => {
	const responseMessage = '😀rt\r\n\u0007'.repeat(500);
	const body = JSON.stringify({ responseCode: 'E'.repeat(500), responseMessage });
	const { error } = await sandbox.runAt(() => ({ status, body }), {
		parameters: operations.validate,
	});
	expect(error?.message).toBe(`${start}${'😀rt '.repeat(75)}… (code "${'E'.repeat(20)}")`);
});

test.each([
	['{"responseCode":" 5\\n1 ","responseMessage":" "}', ' (code "5 1")'],
	['{"responseMessage":"Too high"}', ': Too high'],
	['{"responseCode":""}', ''],
])('the words of HTTP 400 with %s', async (body, end) => {
	const parameters = operations.validate;
	const { error } = await sandbox.runAt(() => ({ status: 400, body }), { parameters });
	expect(error?.message).toBe(`The service rejected the request (HTTP 400)${end}`);
});

test.each([200, 201, 202, 299])('JSON of HTTP %i is JSON, whatever type it has', async (status) => {
	const body = '\ufeff{"responseCode":"00","data":{"isValid":true}}';
	const parameters = operations.validate;
	const { output } = await sandbox.runAt(() => ({ status, headers: html, body }), { parameters });
	expect(output[0]?.json.exists).toBe(true);
});

test('shows its own sentence even where n8n would put another in its place', async () => {
	const row = { paymentPageLinkReference: 'freeaccess' };
	const parameters = automatic('create', { ifReferenceExists: 'error' });
	const { error } = await sandbox.run({ rows: [row, row], parameters });
	expect(error?.message).toBe('A page "freeaccess" already exists (row 1 has this reference)');
});
