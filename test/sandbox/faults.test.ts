import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FaultRule } from '../../sandbox';
import { projectRoot } from '../../scripts/shared/root';
import { waitFor } from '../../scripts/shared/waitFor';
import { json, useSandbox } from './wire';

/** A service on a bad day. What each fault looks like, the engine tests see with every operation. */
const sandbox = useSandbox();

test.each([
	['hang', false, 0],
	['hang', true, 1],
	['latency', false, 0],
	['slowBody', true, 1],
] as const)('%s (stored: %p) ends with a reset, with %d pages', async (kind, stored, count) => {
	const milliseconds = 3_600_000;
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind, stored, milliseconds }] });
	const pending = expect(sandbox.create()).rejects.toThrow(/socket hang up|aborted/);
	await waitFor(() => sandbox.service.state.requests[0]?.fault === kind, { what: 'the request' });
	expect(sandbox.service.state.pages.size).toBe(count);
	await sandbox.service.reset();
	await pending;
});

const error = { kind: 'serverError' } as const;

test.each<[FaultRule, creates: string, questions: string, counted: object]>([
	[{ endpoint: 'create', nth: [2], ...error }, '.x.', '...', { seen: 3, made: 1 }],
	[{ endpoint: 'create', times: 2, ...error }, 'xx.', '...', { seen: 3, made: 2 }],
	[{ endpoint: 'any', ...error }, 'xxx', 'xxx', { seen: 6, made: 6 }],
])('%j makes of three requests of each kind: %s %s', async (fault, creates, questions, counted) => {
	sandbox.service.configure({ faults: [fault] });
	let [first, second] = ['', ''];
	for (let count = 0; count < 3; count++) {
		first += (await sandbox.create()).status === 500 ? 'x' : '.';
		second += (await sandbox.validate('x')).status === 500 ? 'x' : '.';
	}
	expect([first, second]).toEqual([creates, questions]);
	expect(sandbox.service.faults).toMatchObject([counted]);
	// The pages for people are no part of that.
	expect((await sandbox.read('/')).status).toBe(200);
});

test('meets a share of the requests, the same ones with the same seed', async () => {
	const run = async (seed: number) => {
		sandbox.service.configure({ seed, faults: [{ endpoint: 'create', ...error, rate: 0.3 }] });
		const statuses: Array<number | undefined> = [];
		for (let count = 0; count < 100; count++) statuses.push((await sandbox.create()).status);
		return statuses;
	};
	const first = await run(42);
	const failed = first.filter((status) => status === 500).length;
	expect([failed > 15, failed < 45]).toEqual([true, true]);
	expect(await run(42)).toEqual(first);
	expect(await run(43)).not.toEqual(first);
});

test('is set over HTTP, as the README shows it, and in a form of the status page', async () => {
	const readme = readFileSync(path.join(projectRoot, 'sandbox/README.md'), 'utf8');
	const examples = [...readme.matchAll(/`(\{"endpoint".*\})`/g)].map(([, text = '']) => text);
	const faults = examples.map((text) => JSON.parse(text) as FaultRule);
	expect(faults).toHaveLength(2);
	expect((await sandbox.submit('/sandbox/settings', { faults })).status).toBe(200);
	const listed = json(await sandbox.read('/sandbox/faults'));
	expect(listed).toEqual(faults.map((rule) => ({ rule, seen: 0, made: 0 })));
	expect((await sandbox.submit('/sandbox/faults/clear', '')).status).toBe(303);

	const form = 'endpoint=create&kind=html&nth=3%2C+400&rate=0.5&times=&stored=true';
	expect((await sandbox.submit('/sandbox/faults', form)).status).toBe(303);
	const rule = { endpoint: 'create', kind: 'html', nth: [3, 400], rate: 0.5, stored: true };
	expect(sandbox.service.settings.faults).toEqual([rule]);
});
