import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type FaultRule, type Sandbox, startSandbox } from '../../sandbox';
import { projectRoot } from '../../scripts/shared/root';
import { type Answer, pageFields, paths, post, registerUrl, send, validate } from './wire';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

let created = 0;
const create = (): Promise<Answer> =>
	post(sandbox, 'create', pageFields(sandbox, { paymentPageLinkReference: `page-${++created}` }));

function meet(fault: Partial<FaultRule> & Pick<FaultRule, 'kind'>): void {
	sandbox.configure({ faults: [{ endpoint: 'create', ...fault }] });
}

const answers: [string, Partial<FaultRule> & Pick<FaultRule, 'kind'>, number, string][] = [
	['429', { kind: 'tooManyRequests' }, 429, '"responseCode":"96"'],
	['500', { kind: 'serverError' }, 500, '"responseMessage":"Internal server error"'],
	['503', { kind: 'serverError', status: 503, message: 'Busy' }, 503, '"responseMessage":"Busy"'],
	['a web page', { kind: 'html' }, 200, '<!doctype html>'],
	['a web page as error', { kind: 'html', status: 502 }, 502, '<!doctype html>'],
	['invalid JSON', { kind: 'brokenJson' }, 200, '{"responseCode":"00","responseMess'],
	['JSON that is not an object', { kind: 'notAnObject' }, 200, '["00"]'],
	['another code', { kind: 'wrongCode' }, 200, '"responseCode":"96"'],
	['a chosen code', { kind: 'wrongCode', code: '0' }, 200, '"responseCode":"0"'],
];

test.each(answers)('answers with %s, and stores nothing', async (_name, fault, status, part) => {
	meet(fault);
	const answer = await create();
	expect(answer.status).toBe(status);
	expect(answer.text).toContain(part);
	expect(sandbox.state.pages.size).toBe(0);
	expect(sandbox.state.requests[0]).toMatchObject({ status, fault: fault.kind });
});

test.each(answers)('answers with %s although the page is stored', async (_name, fault, status) => {
	meet({ ...fault, stored: true });
	expect((await create()).status).toBe(status);
	expect(sandbox.state.pages.size).toBe(1);
});

test('answers with an empty body', async () => {
	meet({ kind: 'emptyBody' });
	expect(await create()).toMatchObject({ status: 200, text: '' });
	expect(sandbox.state.pages.size).toBe(0);
});

test.each([
	['numericCode', /^\{"responseCode":0,"responseMessage":"[^"]+","data":\{"id":1,/],
	['missingCode', /^\{"responseMessage":"[^"]+","data":\{"id":1,/],
] as const)('alters the envelope: %s', async (kind, expected) => {
	meet({ kind });
	const answer = await create();
	expect(answer.text).toMatch(expected);
	expect(answer.json()).toBeInstanceOf(Object);
	expect(sandbox.state.pages.size).toBe(1);
});

test.each([
	['cutBeforeStoring', 0],
	['cutAfterStoring', 1],
] as const)('cuts the connection: %s leaves %d pages', async (kind, pages) => {
	meet({ kind });
	await expect(create()).rejects.toThrow('socket hang up');
	expect(sandbox.state.pages.size).toBe(pages);
	expect(sandbox.state.requests[0]).toMatchObject({ status: null, fault: kind });
});

test.each([
	[undefined, undefined, undefined],
	[7, undefined, '7'],
	[0, 'seconds', '0'],
] as const)('writes Retry-After %p as %p: %p', async (retryAfterSeconds, retryAfterAs, header) => {
	meet({ kind: 'tooManyRequests', retryAfterSeconds, retryAfterAs });
	expect((await create()).headers['retry-after']).toBe(header);
});

test('writes Retry-After as a date, with 503 too', async () => {
	meet({ kind: 'serverError', status: 503, retryAfterSeconds: 3600, retryAfterAs: 'date' });
	const date = (await create()).headers['retry-after'] ?? '';
	expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
	const seconds = (Date.parse(date) - Date.now()) / 1000;
	expect(seconds).toBeGreaterThan(3540);
	expect(seconds).toBeLessThanOrEqual(3600);
});

describe('time', () => {
	async function duration(work: () => Promise<unknown>): Promise<number> {
		const start = performance.now();
		await work();
		return performance.now() - start;
	}

	test('answers late, and adds latencies to another fault', async () => {
		sandbox.configure({
			faults: [
				{ endpoint: 'create', kind: 'latency', milliseconds: 60, jitterMilliseconds: 10 },
				{ endpoint: 'any', kind: 'latency', milliseconds: 60 },
				{ endpoint: 'create', kind: 'serverError' },
			],
		});
		expect(await duration(create)).toBeGreaterThanOrEqual(119);
		expect(sandbox.state.requests[0]).toMatchObject({
			status: 500,
			fault: 'latency, latency, serverError',
		});
	});

	test('lets an answer trickle in whole', async () => {
		meet({ kind: 'slowBody', milliseconds: 100 });
		let answer: Answer | undefined;
		expect(
			await duration(async () => {
				answer = await create();
			}),
		).toBeGreaterThanOrEqual(99);
		expect(answer?.json()).toMatchObject({ responseCode: '00', data: { id: 1 } });
	});

	test.each([
		['hang', false, 0],
		['hang', true, 1],
		['latency', false, 0],
		['latency', true, 1],
		['slowBody', true, 1],
	] as const)('%s (stored: %p) ends with a reset, with %d pages', async (kind, stored, pages) => {
		const complaint = jest.spyOn(console, 'error');
		meet({ kind, stored, milliseconds: 3_600_000 });
		const stopped = expect(create()).rejects.toThrow('socket hang up');
		const before = () => sandbox.state.requests[0]?.fault;
		while (before() !== kind) await new Promise(setImmediate);
		expect(sandbox.state.pages.size).toBe(pages);
		await sandbox.reset();
		await stopped;
		expect(sandbox.state.pages.size).toBe(0);
		expect(complaint).not.toHaveBeenCalled();
	});

	test('does not keep the sandbox from stopping', async () => {
		const other = await startSandbox({ faults: [{ endpoint: 'any', kind: 'hang' }] });
		const pending = Array.from({ length: 50 }, () =>
			expect(validate(other, 'x')).rejects.toThrow('socket hang up'),
		);
		while (other.state.requests.length < 50) await new Promise(setImmediate);
		await other.stop();
		await Promise.all(pending);
	});
});

describe('which requests', () => {
	test('meets the nth request of the endpoint alone', async () => {
		meet({ kind: 'serverError', nth: [2, 4] });
		const statuses: number[] = [];
		for (let count = 0; count < 5; count++) {
			statuses.push((await create()).status);
			expect((await validate(sandbox, 'x')).status).toBe(200);
		}
		expect(statuses).toEqual([200, 500, 200, 500, 200]);
		expect(sandbox.faults[0]).toMatchObject({ seen: 5, made: 2 });
	});

	test('meets as many requests as it was told to', async () => {
		meet({ kind: 'serverError', times: 2 });
		const statuses = [await create(), await create(), await create()].map(({ status }) => status);
		expect(statuses).toEqual([500, 500, 200]);
	});

	test('meets every endpoint with "any"', async () => {
		sandbox.configure({ faults: [{ endpoint: 'any', kind: 'serverError' }] });
		const all = [
			await create(),
			await post(sandbox, 'update', '{}'),
			await validate(sandbox, 'x'),
			await registerUrl(sandbox, 'https://a.example'),
		];
		expect(all.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
	});

	test('meets a share of the requests, the same ones with the same seed', async () => {
		const run = async (seed: number): Promise<string> => {
			sandbox.configure({ seed, faults: [{ endpoint: 'create', kind: 'serverError', rate: 0.3 }] });
			let pattern = '';
			for (let count = 0; count < 200; count++)
				pattern += (await create()).status === 500 ? 'x' : '.';
			return pattern;
		};
		const first = await run(42);
		const share = first.replaceAll('.', '').length / 200;
		expect(share).toBeGreaterThan(0.2);
		expect(share).toBeLessThan(0.4);
		expect(await run(42)).toBe(first);
		expect(await run(43)).not.toBe(first);
	});

	test('still asks for the right key where the work is done', async () => {
		meet({ kind: 'cutAfterStoring' });
		expect((await post(sandbox, 'create', '{}', 'wrong')).status).toBe(401);
	});
});

describe('over HTTP', () => {
	const settings = (body: object) =>
		send(sandbox.url, '/sandbox/settings', {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});

	test('can be set', async () => {
		const faults = [{ endpoint: 'validate', kind: 'html', nth: [1] }];
		expect((await settings({ faults })).status).toBe(200);
		expect((await validate(sandbox, 'x')).headers['content-type']).toMatch('text/html');
		const listed = await send(sandbox.url, '/sandbox/faults');
		expect(listed.json()).toEqual([{ rule: faults[0], seen: 1, made: 1 }]);
	});

	test.each([
		[{ faults: [{ endpoint: 'delete', kind: 'html' }] }, 'endpoint'],
		[{ faults: [{ endpoint: 'create', kind: 'fire' }] }, 'kind'],
		[{ faults: [{ endpoint: 'create' }] }, 'kind'],
		[{ faults: [{ endpoint: 'create', kind: 'html', rate: '0.5' }] }, 'rate'],
		[{ faults: [{ endpoint: 'create', kind: 'html', rate: 2 }] }, 'rate'],
		[{ faults: [{ endpoint: 'create', kind: 'html', chance: 1 }] }, 'additional'],
	])('are refused when they are not right: %j', async (body, part) => {
		const answer = await settings(body);
		expect(answer.status).toBe(400);
		expect(answer.text).toContain(part);
		expect(sandbox.settings.faults).toEqual([]);
	});

	test('can be the ones that the README shows', async () => {
		const readme = readFileSync(path.join(projectRoot, 'sandbox/README.md'), 'utf8');
		const faults = [...readme.matchAll(/`(\{"endpoint".*\})`/g)].map(
			([, example = '']) => JSON.parse(example) as FaultRule,
		);
		expect(faults).toHaveLength(2);
		expect((await settings({ faults })).status).toBe(200);
		expect(sandbox.settings.faults).toEqual(faults);
	});

	test('can be set and removed on the status page', async () => {
		const form = (path: string, body: string) =>
			send(sandbox.url, path, {
				method: 'POST',
				headers: { 'content-type': 'application/x-www-form-urlencoded' },
				body,
			});
		const fields =
			'endpoint=create&kind=tooManyRequests&nth=3%2C+400&rate=0.5&times=&milliseconds=' +
			'&retryAfterSeconds=5&retryAfterAs=date&stored=true';
		expect(await form('/sandbox/faults', fields)).toMatchObject({ status: 303 });
		expect(sandbox.settings.faults).toEqual([
			{
				endpoint: 'create',
				kind: 'tooManyRequests',
				nth: [3, 400],
				rate: 0.5,
				retryAfterSeconds: 5,
				retryAfterAs: 'date',
				stored: true,
			},
		]);
		expect((await send(sandbox.url, '/')).text).toContain('HTTP 429');
		const refused = await form('/sandbox/faults', 'endpoint=create&kind=html&rate=7');
		expect(refused.status).toBe(400);
		expect(refused.text).toContain('rate');
		expect(await form('/sandbox/faults/clear', '')).toMatchObject({ status: 303 });
		expect(sandbox.settings.faults).toEqual([]);
	});
});

test('leaves the hosted pages and the status page alone', async () => {
	sandbox.configure({ faults: [{ endpoint: 'any', kind: 'serverError' }] });
	expect((await send(sandbox.url, '/')).status).toBe(200);
	expect((await send(sandbox.url, paths.create)).status).toBe(404);
});
