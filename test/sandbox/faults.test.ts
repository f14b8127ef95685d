import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type FaultRule, startSandbox } from '../../sandbox';
import { projectRoot } from '../../scripts/shared/root';
import { waitFor } from '../../scripts/shared/waitFor';
import { paths, useSandbox } from './wire';

/** A service on a bad day. What each fault looks like, the engine tests see with every operation. */
const sandbox = useSandbox();

type Fault = Omit<FaultRule, 'endpoint'>;

function meet(fault: Fault): void {
	sandbox.service.configure({ faults: [{ endpoint: 'create', ...fault }] });
}

const pages = () => sandbox.service.state.pages.size;

test.each([
	['hang', false, 0],
	['hang', true, 1],
	['latency', false, 0],
	['slowBody', true, 1],
] as const)('%s (stored: %p) ends with a reset, with %d pages', async (kind, stored, count) => {
	const fault = { kind, stored, milliseconds: 3_600_000 };
	meet(fault);
	const pending = expect(sandbox.create()).rejects.toThrow('socket hang up');
	await waitFor(() => sandbox.service.state.requests[0]?.fault === kind, { what: 'the request' });
	expect(pages()).toBe(count);
	await sandbox.service.reset();
	await pending;
});

test('a request without an answer does not keep the sandbox from stopping', async () => {
	const other = await startSandbox({ faults: [{ endpoint: 'any', kind: 'hang' }] });
	const stopped = expect(fetch(other.url + paths.create, { method: 'POST' })).rejects.toThrow();
	await waitFor(() => other.state.requests.length > 0, { what: 'the request' });
	await other.stop();
	await stopped;
});

test('meets the requests that it is told to: the nth, so many, of every endpoint', async () => {
	const statuses = async (faults: FaultRule[]) => {
		sandbox.service.configure({ faults });
		const all: number[] = [];
		for (let count = 0; count < 3; count++) {
			all.push((await sandbox.create()).status, (await sandbox.validate('x')).status);
		}
		return all;
	};
	const error = { kind: 'serverError' } as const;
	expect(await statuses([{ endpoint: 'create', nth: [2], ...error }])).toEqual([
		200, 200, 500, 200, 200, 200,
	]);
	expect(sandbox.service.faults[0]).toMatchObject({ seen: 3, made: 1 });
	expect(await statuses([{ endpoint: 'create', times: 2, ...error }])).toEqual([
		500, 200, 500, 200, 200, 200,
	]);
	expect(new Set(await statuses([{ endpoint: 'any', ...error }]))).toEqual(new Set([500]));
	// The pages for people are no part of that.
	expect((await sandbox.read('/')).status).toBe(200);
});

test('meets a share of the requests, the same ones with the same seed', async () => {
	const run = async (seed: number): Promise<string> => {
		const faults: FaultRule[] = [{ endpoint: 'create', kind: 'serverError', rate: 0.3 }];
		sandbox.service.configure({ seed, faults });
		let pattern = '';
		for (let count = 0; count < 100; count++) {
			pattern += (await sandbox.create()).status === 500 ? 'x' : '.';
		}
		return pattern;
	};
	const first = await run(42);
	const share = first.replaceAll('.', '').length / 100;
	expect([share > 0.15, share < 0.45]).toEqual([true, true]);
	expect(await run(42)).toBe(first);
	expect(await run(43)).not.toBe(first);
});

test('is set over HTTP, as the README shows it, and in a form of the status page', async () => {
	const readme = readFileSync(path.join(projectRoot, 'sandbox/README.md'), 'utf8');
	const faults = [...readme.matchAll(/`(\{"endpoint".*\})`/g)].map(
		([, example = '']) => JSON.parse(example) as FaultRule,
	);
	expect(faults).toHaveLength(2);
	expect((await sandbox.submit('/sandbox/settings', { faults })).status).toBe(200);
	const listed = (await sandbox.read('/sandbox/faults')).json();
	expect(listed).toEqual(faults.map((rule) => ({ rule, seen: 0, made: 0 })));
	expect((await sandbox.submit('/sandbox/faults/clear', '')).status).toBe(303);

	const form =
		'endpoint=create&kind=tooManyRequests&nth=3%2C+400&rate=0.5&times=&milliseconds=' +
		'&retryAfterSeconds=5&retryAfterAs=date&stored=true';
	expect((await sandbox.submit('/sandbox/faults', form)).status).toBe(303);
	const retryAfter = { retryAfterSeconds: 5, retryAfterAs: 'date' };
	const rule = { endpoint: 'create', kind: 'tooManyRequests', nth: [3, 400], rate: 0.5 };
	expect(sandbox.service.settings.faults).toEqual([{ ...rule, ...retryAfter, stored: true }]);
	for (const wrong of [{ endpoint: 'delete' }, { kind: 'fire' }, { rate: 2 }, { chance: 1 }]) {
		const [name = ''] = Object.keys(wrong);
		const body = { faults: [{ endpoint: 'create', kind: 'html', ...wrong }] };
		const answer = await sandbox.submit('/sandbox/settings', body);
		expect([answer.status, answer.text]).toEqual([
			400,
			expect.stringMatching(name === 'chance' ? 'additional' : name),
		]);
	}
});
