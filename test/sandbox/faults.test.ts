import type { FaultRule } from '../../sandbox';
import { waitFor } from '../../scripts/shared/waitFor';
import { useSandbox } from './wire';

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

/** What creates and questions meet, in turn: `x` for each that fails. */
async function meet(rule: Partial<FaultRule>, seed = 1, count = 3) {
	const fault: FaultRule = { endpoint: 'create', kind: 'serverError', ...rule };
	sandbox.service.configure({ seed, faults: [fault] });
	let [creates, questions] = ['', ''];
	for (let number = 0; number < count; number++) {
		creates += (await sandbox.create()).status === 500 ? 'x' : '.';
		questions += (await sandbox.validate('x')).status === 500 ? 'x' : '.';
	}
	return [creates, questions];
}

test.each<[Partial<FaultRule>, creates: string, questions: string]>([
	[{ nth: [2] }, '.x.', '...'],
	[{ times: 2 }, 'xx.', '...'],
	[{ endpoint: 'any' }, 'xxx', 'xxx'],
])('%j makes of three requests of each kind: %s %s', async (rule, ...outcomes) => {
	expect(await meet(rule)).toEqual(outcomes);
});

test('a rate is a share of the requests, the same ones with the same seed', async () => {
	const [first = ''] = await meet({ rate: 0.3 }, 42, 60);
	expect(first).toMatch(/^(\.*x){8,30}\.*$/);
	expect(await meet({ rate: 0.3 }, 42, 60)).toContain(first);
	expect(await meet({ rate: 0.3 }, 43, 60)).not.toContain(first);
});
