import { planDisturbances } from '../../bench/flood/disturb';
import { faultsOf, faultsUndisturbed, outcomesOf } from '../../bench/flood/outcomes';
import { floodEvents, type Sent } from '../../bench/flood/send';
import { idPattern } from '../../bench/shared/events';
import type { StoredExecution } from '../../bench/shared/executions';
import { goalTable, inRounds, median, medianRatio } from '../../bench/shared/figures';
import { readOptions } from '../../bench/shared/options';
import { parseStatistics } from '../../bench/shared/processorTime';
import { PlainError } from '../../scripts/shared/terminal';

test('the command line takes parts and numbers, and rejects others with how it is used', () => {
	const parts = ['verification', 'events', 'items', 'load'];
	expect(readOptions([])).toMatchObject({ parts, items: 1000 });
	expect(readOptions(['kills', '--rounds', '5'])).toMatchObject({ parts: ['kills'], rounds: 5 });
	for (const [commandLine, message] of [
		[['speed'], 'There is no part "speed".'],
		[['--items', '0'], '--items must be a whole number from 1 on, but is "0".'],
		[['--twice'], "Unknown option '--twice'"],
	] as const) {
		expect(() => readOptions([...commandLine])).toThrow(PlainError);
		expect(() => readOptions([...commandLine])).toThrow(message);
		expect(() => readOptions([...commandLine])).toThrow(/\nnpm run bench -- \[verification\]/);
	}
});

describe('figures', () => {
	test('have a middle, are compared round by round, and are judged by a goal', () => {
		expect([median([5, 1, 3]), median([10, 2, 4, 1])]).toEqual([3, 3]);
		expect(medianRatio([2, 30, 9], [1, 10, 3])).toBe(3);
		const judged = (goal: object) => goalTable([{ what: 'speed', measured: NaN, ...goal }]);
		expect(judged({ measured: 0.5, atMost: 0.5 })).toContain('| at most 0.5 | 0.5 | met |');
		expect(judged({ measured: 0.5001, atMost: 0.5 })).toContain('| 0.5 | NOT met |');
		expect(judged({ atLeast: 1.2 })).toContain('| at least 1.2 | NaN | NOT met |');
	});

	test('come from contestants in turn, in one order forwards and then backwards', async () => {
		const turns: string[] = [];
		await inRounds(['a', 'b'], 3, async (name) => turns.push(name));
		expect(turns.join('')).toBe('abbaab');
	});

	test('of processor time are read from what Linux tells of a process', () => {
		const line = '42 (a name) S) S 1 40 40 0 -1 4194560 9 0 0 0 150 50 7 7 20 0 11 0 9 9';
		expect(parseStatistics(line)).toEqual({ processGroup: 40, milliseconds: 2000 });
	});
});

describe('a flood', () => {
	const receiver = { name: '', workflowId: '', url: '' };
	const verifying = { ...receiver, headers: (_: string, key = 'right') => ({ key }) };

	test('has one forged event in ten, only where events are verified, and each its own id', () => {
		const events = floodEvents(verifying, 60);
		expect(new Set(events.flatMap(({ forgery }) => forgery ?? [])).size).toBe(3);
		expect(events.filter(({ forgery }) => forgery)).toHaveLength(6);
		const unverified = floodEvents({ ...receiver, headers: () => ({}) }, 60);
		expect(unverified.filter(({ forgery }) => forgery)).toEqual([]);
		for (const { id, body } of events) expect(body.match(new RegExp(idPattern, 'g'))).toEqual([id]);
	});

	const sent = (id: string, status?: number, isForged = false): Sent => ({
		event: { id, body: '', headers: {}, ...(isForged && { forgery: 'no proof' }) },
		status,
		answer: '',
		milliseconds: 1,
		tries: 1,
	});
	const execution = (status: string, ...eventIds: string[]): StoredExecution => ({
		id: '1',
		status,
		eventIds,
	});

	test.each([
		['each event is where it belongs', [sent('a', 200), sent('b', 401, true)], 0, 0],
		['one was answered 200 and is nowhere', [sent('a', 200), sent('c', 200)], 1, 1],
		['one was not answered', [sent('a', 200), sent('c')], 0, 1],
		['a genuine one was rejected', [sent('a', 401)], 1, 1],
		['a forged one was accepted', [sent('a', 200), sent('b', 200, true)], 1, 1],
		['a forged one ran', [sent('a', 401, true)], 1, 1],
	])('when %s', (_, events, faults, undisturbed) => {
		const outcomes = outcomesOf(events, [execution('success', 'a')]);
		expect(faultsOf(outcomes)).toHaveLength(faults);
		expect(faultsUndisturbed(outcomes)).toHaveLength(undisturbed);
	});

	test('may have lost what an execution without an event was about, but not more', () => {
		const found = [execution('crashed'), execution('success', 'a')];
		const events = [sent('a', 200), sent('b', 200)];
		expect(faultsOf(outcomesOf(events, found))).toEqual([]);
		expect(faultsOf(outcomesOf([...events, sent('c', 200)], found))).toHaveLength(1);
	});

	test('is disturbed at the same moments by the same seed, in their order', () => {
		const plan = planDisturbances(7, 1000, 4);
		expect(plan).toEqual(planDisturbances(7, 1000, 4));
		expect(plan).not.toEqual(planDisturbances(8, 1000, 4));
		expect(plan).toHaveLength(20);
		const moments = plan.map(({ afterEvents }) => afterEvents);
		expect(moments).toEqual(moments.toSorted((one, other) => one - other));
		expect(Math.max(...moments)).toBeLessThan(1000);
	});
});
