import type { INodeParameters } from 'n8n-workflow';

import {
	startAnsweringServer,
	type AnsweringServer,
	type ServerAnswer,
	type ServerRequest,
} from './answeringServer';
import { execute, type Outcome } from './harness';
import { automatic, credentialsFor, register, useSandbox } from './sandbox';

/** Every kind of answer that is no success has its own sentence and says what to do next. */

interface Case {
	answer: ServerAnswer;
	message: string;
	advice: RegExp;
	details?: { httpCode?: string; responseCode?: string };
}

const envelope = '{"responseCode":"X1","responseMessage":"words of the service"}';
const page = '<!DOCTYPE html><html><body>secret page source</body></html>';
/** Nothing is in doubt when a question is not answered. */
const question = /^Try again later\.$/;
const wholeAddress =
	/^(Its? [^.]*\. )?Compare http[^ ]* with .* 'Base URL' .* before '\/PaymentPages\/Add'/;
const notOfThisInterface = 'The service returned a response that is not one of this interface';

function status(code: number, message: string, advice: RegExp): Case {
	return {
		answer: { status: code, body: envelope },
		message: `${message} (HTTP ${code}): words of the service (code "X1")`,
		advice,
		details: { httpCode: String(code), responseCode: 'X1' },
	};
}

function text(body: string, message: string, advice = wholeAddress): Case {
	return { answer: { body }, message, advice, details: { httpCode: '200' } };
}

const cases: Record<string, Case> = {
	'bad-request': status(400, 'The service rejected the request', /Compare the values of this row/),
	'wrong key': status(
		401,
		'The service does not accept the key',
		/^Enter the merchant's private key .* The API key from Settings does not work here\./,
	),
	'key without the right': status(
		403,
		'The service does not allow this with this key',
		/merchant ID and the private key in the credential belong together/,
	),
	'wrong-address': {
		...status(404, '', /^Compare it with the address in the service's documentation/),
		message: expect.stringMatching(
			/^Nothing is at http:\/\/127[^ ]*\/wrong-address \(HTTP 404\): words of the service/,
		) as string,
	},
	'too slow': status(408, 'The service took too long to respond', question),
	'too many requests': status(
		429,
		'The service is receiving too many requests',
		/Lower 'Max Parallel Requests'/,
	),
	'server error': status(500, 'The service could not process the request', /Try again later/),
	'bad gateway': status(502, 'The service could not process the request', /Try again later/),
	unavailable: status(503, 'The service could not process the request', /Try again later/),
	'gateway timeout': status(504, 'The service took too long to respond', question),
	redirect: {
		answer: { status: 302, headers: { location: 'https://login.example/in?x=1' } },
		message: 'The service redirected the request to https://login.example (HTTP 302)',
		advice: wholeAddress,
		details: { httpCode: '302' },
	},
	'lasting redirect': {
		answer: { status: 308, headers: { location: 'https://api.example/' } },
		message: 'The service redirected the request to https://api.example (HTTP 308)',
		advice: wholeAddress,
		details: { httpCode: '308' },
	},
	'error page': {
		answer: { status: 500, headers: { 'content-type': 'text/html' }, body: page },
		message: 'The service could not process the request (HTTP 500)',
		advice: /Try again later/,
		details: { httpCode: '500' },
	},
	'web page': text(page, 'The service returned a web page instead of data'),
	nothing: text(' \n', 'The service returned an empty response'),
	'invalid JSON': text('{"responseCode":"00"', 'The service returned invalid JSON'),
	list: text('["00"]', notOfThisInterface),
	'JSON without anything': text('null', notOfThisInterface),
	'no code': text('{"data":{"isValid":true}}', notOfThisInterface),
	'code as number': text('{"responseCode":0,"data":{"isValid":true}}', notOfThisInterface),
	'code of another spelling': {
		answer: { body: '{"responseCode":"0","data":{"isValid":true}}' },
		message: 'The service rejected the request with code "0" and gave no reason',
		advice: /support can explain the code/,
		details: { httpCode: '200', responseCode: '0' },
	},
	'unknown code': {
		answer: { body: envelope },
		message: 'The service rejected the request: words of the service (code "X1")',
		advice: /support can explain the code/,
		details: { httpCode: '200', responseCode: 'X1' },
	},
	'success without its data': {
		answer: { body: '{"responseCode":"00","data":{"isValid":"true"}}' },
		message: 'The service did not say whether the reference exists',
		advice: /Base URL/,
	},
};

const sandbox = useSandbox();
let server: AnsweringServer;
let outcome: Outcome;

beforeAll(async () => {
	server = await startAnsweringServer(({ url }) => {
		const name = decodeURIComponent(url.split('/').at(-1) ?? '');
		return cases[name]?.answer ?? { status: 200, body: '{"responseCode":"00"}' };
	});
	outcome = await execute({
		rows: Object.keys(cases).map((reference) => ({ reference })),
		parameters: {
			operation: 'validateReference',
			paymentPageLinkReference: '={{ $json.reference }}',
			options: { maxParallelRequests: 50 },
		},
		credentials: credentialsFor(sandbox.service, { baseUrl: server.baseUrl }),
		settings: { onError: 'continueRegularOutput' },
	});
});

afterAll(async () => {
	await server.stop();
});

test.each(Object.entries(cases))('%s', (name, { message, advice, details }) => {
	const { json } = outcome.output[Object.keys(cases).indexOf(name)] ?? {};
	const { description } = json?.details as { description: string };
	expect(description.replace(/ Row \d.*/, '')).toMatch(advice);
	expect(json).toEqual({
		reference: name,
		error: message,
		details: { description: expect.stringMatching(/\. Row \d+ of \d+ \(n8n calls/), ...details },
	});
});

test('none of them gets through, and none shows the source of a page', () => {
	expect(outcome.output.map(({ json }) => typeof json.error)).toEqual(
		Object.keys(cases).map(() => 'string'),
	);
	expect(JSON.stringify(outcome.run)).not.toContain('page source');
});

test.each([
	[200, 'The service rejected the request: '],
	[400, 'The service rejected the request (HTTP 400): '],
])('bounds words and code of HTTP %i and keeps them on one line', async (status, start) => {
	const long = await startAnsweringServer(() => ({
		status,
		body: JSON.stringify({
			responseCode: 'E'.repeat(500),
			responseMessage: 'Wort\n\u0007'.repeat(500),
		}),
	}));
	const { error } = await sandbox.run({
		parameters: { operation: 'validateReference', paymentPageLinkReference: 'r' },
		credentials: credentialsFor(sandbox.service, { baseUrl: long.baseUrl }),
	});
	await long.stop();
	expect(error?.message).toBe(`${start}${'Wort '.repeat(60)}… (code "${'E'.repeat(20)}")`);
});

test.each([
	['{"responseCode":"51","responseMessage":"Amount too high"}', ': Amount too high (code "51")'],
	['{"responseCode":"51"}', ' (code "51")'],
	['{"responseMessage":"Amount too high"}', ': Amount too high'],
])('the error output tells the code of HTTP 400 with %s', async (body, end) => {
	const refusing = await startAnsweringServer(() => ({ status: 400, body }));
	const { errorOutput } = await sandbox.run({
		parameters: { operation: 'validateReference', paymentPageLinkReference: 'r' },
		credentials: credentialsFor(sandbox.service, { baseUrl: refusing.baseUrl }),
		settings: { onError: 'continueErrorOutput' },
	});
	await refusing.stop();
	expect(errorOutput[0]?.json.error).toBe(`The service rejected the request (HTTP 400)${end}`);
});

test('takes JSON for JSON, whatever content type it bears', async () => {
	const typed = await startAnsweringServer(() => ({
		headers: { 'content-type': 'text/html' },
		body: '\ufeff{"responseCode":"00","data":{"isValid":true}}',
	}));
	const { output } = await sandbox.run({
		parameters: { operation: 'validateReference', paymentPageLinkReference: 'r' },
		credentials: credentialsFor(sandbox.service, { baseUrl: typed.baseUrl }),
	});
	await typed.stop();
	expect(output[0]?.json.exists).toBe(true);
});

test.each([
	'{"responseCode":"00"}',
	'{"responseCode":"00","data":{}}',
	'{"responseCode":"00","data":null}',
	'{"responseCode":"00","data":[]}',
])('create answered with %s, and so without data, gives what was sent', async (body) => {
	const bare = await startAnsweringServer(() => ({ body }));
	const credentials = credentialsFor(sandbox.service, { baseUrl: bare.baseUrl });
	const rows = [{ pageName: 'A', amount: '5.0', isTestMode: true }];
	const { output } = await sandbox.run({ rows, parameters: automatic('create'), credentials });
	const raw = automatic('create', { simplify: false });
	const { output: rawOutput } = await sandbox.run({ rows, parameters: raw, credentials });
	await bare.stop();
	expect(output).toEqual([
		{
			json: {
				id: null,
				paymentPageLink: null,
				pageName: 'A',
				amount: 5,
				isFixedAmount: false,
				isTestMode: true,
				paymentPageLinkReference: 'a',
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(rawOutput[0]?.json).toEqual({
		...output[0]?.json,
		merchantId: '1002003004005006007',
		additionalFields: '[]',
	});
});

describe('a create that is answered with a redirect', () => {
	const redirected = 'The service redirected the request to http://127.0.0.1:';

	async function create(status: number, exists: boolean): Promise<[Outcome, ServerRequest[]]> {
		const body = `{"responseCode":"00","data":{"isValid":${exists}}}`;
		const moving = await startAnsweringServer(({ method }) =>
			method === 'GET' ? { body } : { status, headers: { location: '/login' } },
		);
		const result = await sandbox.run({
			rows: [{ pageName: 'A' }],
			parameters: automatic('create'),
			credentials: credentialsFor(sandbox.service, { baseUrl: moving.baseUrl }),
		});
		await moving.stop();
		return [result, moving.requests];
	}

	test.each([302, 303])('may have been carried out (HTTP %i): is asked about', async (status) => {
		const [{ error }, requests] = await create(status, false);
		expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
		expect(error?.message).toContain(redirected);
		expect(error?.message).toContain(`(HTTP ${status}); the page "a" does not exist yet`);
		const [{ error: found }] = await create(status, true);
		expect(found?.message).toContain('a page "a" exists');
	});

	test.each([301, 307, 308])('was not carried out (HTTP %i): fails', async (status) => {
		const [{ error }, requests] = await create(status, true);
		expect(requests).toHaveLength(1);
		expect(error?.message).toContain(redirected);
	});
});

test.each<[string, INodeParameters]>([
	['update', { operation: 'update', id: '1', updateFields: { amount: '5' } }],
	['register', { ...register, webhookUrl: 'https://hooks.shop.example/x' }],
])('%s that is answered with a redirect is not sent again', async (_operation, parameters) => {
	const moving = await startAnsweringServer(() => ({ status: 302 }));
	const { error } = await sandbox.run({
		rows: [{}],
		parameters,
		credentials: credentialsFor(sandbox.service, {
			baseUrl: moving.baseUrl,
			webhookSecret: 'long-secret',
		}),
	});
	await moving.stop();
	expect(moving.requests).toHaveLength(1);
	expect(error?.message).toBe('The service redirected the request to another URL (HTTP 302)');
	expect(error?.description).toMatch(/^Compare http.* 'Base URL' .* may still have been processed/);
});

test('shows its own sentence even where n8n would put another in its place', async () => {
	const row = { paymentPageLinkReference: 'freeaccess', pageName: 'A' };
	const parameters = automatic('create', { ifReferenceExists: 'error' });
	const { error } = await sandbox.run({ rows: [row, row], parameters });
	expect(error?.message).toBe('A page "freeaccess" already exists (row 1 has this reference)');
});
