import type { FaultRule } from '../../sandbox';
import type { ServerAnswer, ServerRequest } from '../support/answeringServer';
import { useQuickWaits } from '../support/quickWaits';
import { automatic, existing, failing, operationNames, operations, useSandbox } from './sandbox';

/** What goes wrong at the service: its words, and what each operation does (networks.test.ts: on the way). */
useQuickWaits();
const sandbox = useSandbox();

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
} satisfies Record<string, Record<keyof typeof operations, string>>;

type Kind = keyof typeof matrix;
type Failure = [ServerAnswer, kind: Kind, message: string | RegExp, advice: RegExp];

const envelope = '{"responseCode":"X1","responseMessage":"words of the service"}';
const html = { 'content-type': 'text/html' };
const page = '<!DOCTYPE html><html><body>secret page source</body></html>';
const compareUrl = /Compare http.* 'Base URL' .* before '\/PaymentPages\/Add'/;

function status(code: number, kind: Kind, words: string, advice: RegExp, retryAfter = ''): Failure {
	const headers = retryAfter === '' ? undefined : { 'retry-after': retryAfter };
	const message = `${words} (HTTP ${code}): words of the service (code "X1")`;
	return [{ status: code, headers, body: envelope }, kind, message, advice];
}

function redirect(code: number, kind: Kind, place: string, location?: string): Failure {
	const headers = location === undefined ? undefined : { location };
	const message = `The service redirected the request to ${place} (HTTP ${code})`;
	return [{ status: code, headers }, kind, message, compareUrl];
}

function unreadable(what: string, body: string, advice = compareUrl, headers = {}): Failure {
	return [{ body, headers }, 'unreadable', `The service returned ${what}`, advice];
}

function rejected(body: string, words: string): Failure {
	const message = `The service rejected the request${words}`;
	return [{ body }, 'rejected', message, /support can explain the code/];
}

const tooMany = 'The service is receiving too many requests';
const notNow = 'The service could not process the request';
const slow = 'The service took too long to respond';
const later = /^Try again later, or contact/;
const muchLater = /^Try again later\.( |$)/;
const fewer = /^Lower 'Max Parallel Requests'/;
const belong = /merchant ID and the key in the credential belong together/;
const noPage = /^Nothing is at http:\/\/127\S+\/(PaymentPages|Webhook)\S+ \(HTTP 404\): words of/;
const compareIt = /^Compare it with the address in the service's documentation/;
const webPage = 'a web page instead of data';
const foreign = 'a response that is not one of this interface';

const failures: Failure[] = [
	status(400, 'rejected', 'The service rejected the request', /Compare the values/),
	status(401, 'rejected', 'The service does not accept the key', /^Enter the .* does not/),
	status(403, 'rejected', 'The service does not allow this with this key', belong),
	[{ status: 404, body: envelope }, 'rejected', noPage, compareIt],
	status(407, 'rejected', "n8n's proxy requires a user name and a password", /^Add them/),
	status(408, 'answerLost', slow, muchLater),
	status(429, 'busy', tooMany, fewer),
	status(500, 'answerLost', notNow, later),
	status(503, 'answerLost', notNow, later),
	status(503, 'answerLost', notNow, later, 'soon'),
	status(503, 'busy', notNow, later, '0'),
	status(504, 'answerLost', slow, muchLater, '0'),
	redirect(300, 'rejected', 'https://login.example', 'https://login.example/in?x=1'),
	redirect(302, 'unreadable', 'https://login.example', 'https://login.example/'),
	redirect(303, 'unreadable', 'another URL'),
	redirect(308, 'rejected', 'another URL', 'https://['),
	[{ status: 500, headers: html, body: page }, 'answerLost', `${notNow} (HTTP 500)`, later],
	unreadable(webPage, page, compareUrl, html),
	unreadable(webPage, 'Hi', compareUrl, html),
	unreadable(webPage, ' \n<HEAD>'),
	unreadable(webPage, '<?xml version="1.0"?>'),
	unreadable('an empty response', ' \n'),
	unreadable('invalid JSON', '{"responseCode":"00"'),
	unreadable(foreign, '["00"]', /^It is not an object\. Compare/),
	unreadable(foreign, 'null'),
	unreadable(foreign, '{"data":{"isValid":true}}', /^It has no code\. Compare/),
	unreadable(foreign, '{"responseCode":0}', /^Its code is not text\. Compare/),
	rejected('{"responseCode":"0"}', ' with code "0" and gave no reason'),
	rejected('{"responseCode":" 00"}', ' with code "00" and gave no reason'),
	rejected(envelope, ': words of the service (code "X1")'),
];

const lettersOf = (sent: ServerRequest[]) => sent.map(({ method }) => method.charAt(0)).join('');

describe.each(failures)('the answer %j, %s', (answer, kind, message, advice) => {
	test.each(operationNames)('to %s', async (operation) => {
		const [isFirst, isSkip] = [operation === 'create', operation === 'skip'];
		const isCreate = isFirst || isSkip;
		const { error, told, output, run, sent } = await sandbox.runAt(
			({ method }) => (isCreate && method === 'GET' ? existing(false) : answer),
			{ parameters: operations[operation] },
		);
		const [methods = '', isInDoubt] = matrix[kind][operation].split('?');
		expect(lettersOf(sent)).toBe(methods);
		expect(output).toEqual([]);
		const isAsked = isCreate && methods.endsWith('PG');
		const finding = isAsked ? '; the page "a" does not exist yet' : '';
		if (typeof message === 'string') expect(error?.message).toBe(`${message}${finding}`);
		else expect(error?.message).toMatch(message);
		if (!isAsked) expect(error?.description).toMatch(advice);
		const code = { responseCode: 'X1' };
		if (answer.body === envelope) expect(error?.context.data).toMatchObject(code);
		// What to do next time fits the operation.
		const says = [
			'The request may still have been processed.',
			"set 'If Reference Exists' to 'Skip'",
			'Run again a little later: the node checks first.',
		].map((words) => told.includes(words));
		expect(says).toEqual([isInDoubt !== undefined, isAsked && isFirst, isAsked && isSkip]);
		expect(JSON.stringify(run)).not.toContain('page source');
	});

	test('to the question of a create, which then creates nothing', async () => {
		const { error, sent } = await sandbox.runAt(() => answer, { parameters: operations.skip });
		expect(lettersOf(sent)).toBe(matrix[kind].validate);
		expect(error).toBeDefined();
	});
});

test.each(operationNames)('%s names the key that it takes', async (name) => {
	const credential = { privateKey: 'wrong-key', apiKey: 'wrong-key' };
	const { error } = await sandbox.run({ parameters: operations[name], credential });
	const ofRegister = /^Enter the API key \(.*The merchant's private key does not work here\./;
	const ofPages = /^Enter the merchant's private key .* The API key from Settings does not work/;
	expect(error?.description).toMatch(name === 'register' ? ofRegister : ofPages);
});

const create = async (ifReferenceExists: string, ...faults: FaultRule[]) => {
	sandbox.fail(...faults);
	return await sandbox.run({ parameters: automatic('create', { ifReferenceExists }) });
};

test.each<FaultRule>([
	failing('cutAfterStoring'),
	failing('numericCode'),
	{ ...failing('serverError'), stored: true },
	{ ...failing('html'), stored: true },
])('a create whose answer was lost made a page: %j', async (fault) => {
	const { told } = await create('create', fault);
	expect(sandbox.methods).toBe('POST GET');
	expect(told).toContain('; a page "a" exists, but it may have existed before Check the page at');
	// Who asked first knows that the page is its own.
	for (const choice of ['skip', 'error']) {
		await sandbox.service.reset();
		const { output } = await create(choice, fault);
		expect(sandbox.methods).toBe('GET POST GET');
		const own = { pageName: 'A', paymentPageLinkReference: 'a', isFixedAmount: false };
		const json = { id: null, paymentPageLink: null, ...own, recovered: true };
		expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(sandbox.references).toEqual(['a']);
	}
});

test('it is in doubt when the service does not tell either, and a rerun makes no second', async () => {
	const question = { endpoint: 'validate', kind: 'brokenJson' } as const;
	const { told } = await create('create', failing('cutAfterStoring'), question);
	expect(told).toMatch(
		/; it could not be determined whether the page "a" was created Before you run again, set 'If Reference Exists' to 'Skip', so that no page is created twice\./,
	);
	const { output } = await create('skip');
	expect(output[0]?.json).toMatchObject({ skipped: true, exists: true });
	expect(sandbox.references).toEqual(['a']);
});

test.each([
	// Skip has no reference to ask for when it is derived.
	[{ pageName: 'A' }, 'a', / Look for the page at the service before you run again\.$/],
	[{ paymentPageLinkReference: 'r'.repeat(5000) }, `${'r'.repeat(60)}…`, /no page is created/],
])('it is told with an excerpt of the reference', async (row, name, advice) => {
	sandbox.fail(failing('cutBeforeStoring'));
	const { told } = await sandbox.run({ rows: [row] });
	expect(told).toContain(`the page "${name}" does not exist yet`);
	expect(told).toMatch(advice);
});

test.each([
	['create', 'tooManyRequests'],
	['update', 'serverError'],
	['validate', 'cutAfterStoring'],
	['register', 'cutBeforeStoring'],
] as const)('%s succeeds in a later try', async (endpoint, kind) => {
	await sandbox.run();
	sandbox.fail({ endpoint, kind, times: 1 });
	const { output } = await sandbox.run({ parameters: operations[endpoint] });
	expect(output).toHaveLength(1);
	expect(sandbox.requests).toHaveLength(3);
});

const long = { responseCode: 'E'.repeat(500), responseMessage: '😀rt\r\n\u0007'.repeat(500) };
const excerpt = `: ${'😀rt '.repeat(75)}… (code "${'E'.repeat(20)}")`;

test.each([
	[200, long, excerpt],
	[400, long, ` (HTTP 400)${excerpt}`],
	[400, { responseCode: ' 5\n1 ', responseMessage: ' ' }, ' (HTTP 400) (code "5 1")'],
	[400, { responseMessage: 'Too high' }, ' (HTTP 400): Too high'],
	[400, { responseCode: '' }, ' (HTTP 400)'],
])('the words of HTTP %i are bounded, and on one line: %#', async (code, answer, words) => {
	const body = JSON.stringify(answer);
	const { error } = await sandbox.runAt(() => ({ status: code, body }));
	expect(error?.message).toBe(`The service rejected the request${words}`);
});

test.each([200, 201, 202, 299])('JSON of HTTP %i is JSON, whatever type it has', async (code) => {
	const answer = { status: code, headers: html, body: `\ufeff${existing(true).body}` };
	const { output } = await sandbox.runAt(() => answer, { parameters: operations.validate });
	expect(output[0]?.json.exists).toBe(true);
});

test('shows its own sentence even where n8n would put another in its place', async () => {
	const row = { paymentPageLinkReference: 'freeaccess' };
	const parameters = automatic('create', { ifReferenceExists: 'error' });
	const { error } = await sandbox.run({ rows: [row, row], parameters });
	expect(error?.message).toBe('A page "freeaccess" already exists (row 1 has this reference)');
});
