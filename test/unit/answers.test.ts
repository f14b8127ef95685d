import fc from 'fast-check';

import {
	hideSecrets,
	looksLikeWebPage,
	parseObject,
	parseResponse,
} from '../../nodes/shared/service/response';
import { ServiceError, serviceText } from '../../nodes/shared/errors';
import {
	readRetryAfter,
	type Asked,
	type ServiceResponse,
} from '../../nodes/shared/service/failures';

function answer(
	text: string,
	statusCode = 200,
	headers: Record<string, string> = {},
): ServiceResponse {
	return { statusCode, text, headers };
}

function failure(parse: () => unknown): ServiceError {
	try {
		parse();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error('The response is a success');
}

const asked: Asked = {
	url: 'https://api.service.example/v1/PaymentPages/Add',
	credential: 'paymentPagesPrivateKeyApi',
	secrets: [],
};

describe('parseResponse', () => {
	test.each([200, 201, 202, 299])('HTTP %i with the code "00" is success', (status) => {
		const text =
			'{"responseCode":"00","responseMessage":"ok","data":{"id":9007199254740993},"x":1}';
		expect(parseResponse(answer(text, status), asked)).toEqual({
			responseCode: '00',
			responseMessage: 'ok',
			data: { id: '9007199254740993' },
			x: 1,
		});
	});

	test.each([199, 300, 400, 500, NaN])('HTTP %p with the code "00" is none', (status) => {
		expect(
			failure(() => parseResponse(answer('{"responseCode":"00"}', status), asked)),
		).toBeInstanceOf(ServiceError);
	});

	test.each(['"0"', '" 00"', '"000"', '"00 "', '"0O"', '"96"', '""'])(
		'the code %s is a refusal',
		(code) => {
			const error = failure(() => parseResponse(answer(`{"responseCode":${code}}`), asked));
			expect(error.details).toMatchObject({ kind: 'rejected', statusCode: 200 });
		},
	);

	test.each(['0', '00.0', 'null', 'true', '[]', '["00"]', '{}'])(
		'the code %s does not tell what was done',
		(code) => {
			expect(
				failure(() => parseResponse(answer(`{"responseCode":${code}}`), asked)).details.kind,
			).toBe('unreadable');
		},
	);

	test.each<[number, Record<string, string>, string]>([
		[301, {}, 'rejected'],
		[302, {}, 'unreadable'],
		[303, {}, 'unreadable'],
		[307, {}, 'rejected'],
		[308, {}, 'rejected'],
		[400, {}, 'rejected'],
		[401, {}, 'rejected'],
		[403, {}, 'rejected'],
		[404, {}, 'rejected'],
		[408, {}, 'answerLost'],
		[422, {}, 'rejected'],
		[429, {}, 'busy'],
		[429, { 'retry-after': 'soon' }, 'busy'],
		[500, {}, 'answerLost'],
		[502, {}, 'answerLost'],
		[503, {}, 'answerLost'],
		[503, { 'retry-after': 'soon' }, 'answerLost'],
		[503, { 'retry-after': '5' }, 'busy'],
		[504, { 'retry-after': '5' }, 'answerLost'],
	])('HTTP %i with %j means: %s', (status, headers, kind) => {
		expect(failure(() => parseResponse(answer('', status, headers), asked)).details.kind).toBe(
			kind,
		);
	});

	test.each([
		['{"responseCode":"51","responseMessage":"Too high"}', ': Too high (code "51")'],
		['{"responseCode":"51"}', ' (code "51")'],
		['{"responseCode":" 5\\n1 ","responseMessage":" "}', ' (code "5 1")'],
		[`{"responseCode":"${'5'.repeat(21)}"}`, ` (code "${'5'.repeat(20)}")`],
		['{"responseCode":"a-long-secret","responseMessage":"Why"}', ': Why (code "***")'],
		['{"responseCode":"","responseMessage":"Why"}', ': Why'],
		['{"responseMessage":"Why"}', ': Why'],
		['<html>', ''],
	])('HTTP 400 with %s tells the code, if there is one', (text, end) => {
		const { message } = failure(() =>
			parseResponse(answer(text, 400), { ...asked, secrets: ['a-long-secret'] }),
		);
		expect(message).toBe(`The service rejected the request (HTTP 400)${end}`);
	});

	test('is a success or a failure in few words, whatever the response', () => {
		const anyAnswer = fc.record({
			statusCode: fc.oneof(fc.constantFrom(200, 302, 404, 500), fc.integer()),
			text: fc.oneof(fc.string({ unit: 'binary' }), fc.json()),
			headers: fc.dictionary(fc.constantFrom('content-type', 'retry-after'), fc.string()),
		});
		fc.assert(
			fc.property(anyAnswer, (given) => {
				try {
					expect(parseResponse(given, { ...asked, secrets: ['a-long-secret'] }).responseCode).toBe(
						'00',
					);
				} catch (error) {
					expect(error).toBeInstanceOf(ServiceError);
					expect((error as ServiceError).message.length).toBeLessThan(500);
				}
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('a web page', () => {
	test.each(['<!DOCTYPE html>', ' \n<html lang="en">', '<HEAD>', '<?xml version="1.0"?>'])(
		'is known by %j',
		(text) => {
			expect(looksLikeWebPage(answer(text))).toBe(true);
			expect(failure(() => parseObject(answer(text), asked)).message).toMatch(/web page/);
		},
	);

	test('is known by its content type', () => {
		expect(looksLikeWebPage(answer('Hi', 200, { 'content-type': 'text/html; charset=x' }))).toBe(
			true,
		);
		expect(looksLikeWebPage(answer('Hi', 200, { 'content-type': 'text/plain' }))).toBe(false);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-01-02T03:04:05Z');

	test.each([
		['0', 0],
		['5', 5000],
		[' 5 ', 5000],
		['60', 60_000],
		['61', 60_000],
		['9'.repeat(400), 60_000],
		['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
		['Friday, 02-Jan-26 03:04:15 GMT', 10_000],
		['Fri Jan  2 03:04:15 2026 GMT', 10_000],
		['Fri, 02 Jan 2026 03:04:00 GMT', 0],
		['Sat, 02 Jan 2027 03:04:00 GMT', 60_000],
	])('%j is %i milliseconds', (value, milliseconds) => {
		expect(readRetryAfter(value, now)).toBe(milliseconds);
	});

	test.each([
		undefined,
		'',
		'soon',
		'-5',
		'1.5',
		'5 seconds',
		'Friday',
		'Sun Nov  6 08:49:37 1994',
		'NaN',
		'Infinity',
	])('%j makes no sense', (value) => {
		expect(readRetryAfter(value, now)).toBeUndefined();
	});

	test('is from 0 to 60 seconds or nothing, whatever the header', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.integer().map(String)), (value) => {
				const wait = readRetryAfter(value, now);
				if (wait === undefined) return;
				expect(wait).toBeGreaterThanOrEqual(0);
				expect(wait).toBeLessThanOrEqual(60_000);
			}),
		);
	});
});

describe('serviceText', () => {
	test.each([
		['plain', 'plain'],
		['  two\r\nlines\t\u0007', 'two lines'],
		['x'.repeat(300), 'x'.repeat(300)],
		['😀'.repeat(301), `${'😀'.repeat(300)}…`],
		[undefined, ''],
		[17, ''],
		[{ a: 1 }, ''],
	])('%j', (value, text) => {
		expect(serviceText(value)).toBe(text);
	});
});

describe('hideSecrets', () => {
	const secrets = ['pk-0123456789', 'short', ''];

	test('hides a long secret inside any text, and in names', () => {
		expect(
			hideSecrets(
				{ a: ['x pk-0123456789 y', { 'pk-0123456789': 'pk-0123456789pk-0123456789' }], b: 5 },
				secrets,
			),
		).toEqual({ a: ['x *** y', { '***': '******' }], b: 5 });
	});

	test('hides a short secret where it stands alone', () => {
		expect(hideSecrets(['short', 'a shortcut', 'short '], secrets)).toEqual([
			'***',
			'a shortcut',
			'short ',
		]);
	});

	test('leaves all else alone, an empty text too', () => {
		const value = { '': '', a: null, b: [true, 1.5, 'text'], __proto__x: {} };
		expect(hideSecrets(value, secrets)).toEqual(value);
	});
});
