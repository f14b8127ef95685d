import { type StoredExecution, faultsOf } from '../../bench/flood/account';
import { bodyOf, type FloodEvent, floodEvents, idPattern } from '../../bench/flood/floodEvents';
import { parseStatistics } from '../../bench/flood/processorTime';
import type { Sent } from '../../bench/flood/sendFlood';
import { planKills } from '../../bench/kills/killPlan';
import { lostEvents, outcomesOf } from '../../bench/kills/outcomes';

const sent = (id: string, status?: number, forgery?: FloodEvent['forgery']): Sent => ({
	event: { id, ...(forgery && { forgery }) },
	status,
	answer: '{"received":true}',
	milliseconds: 1,
	tries: 1,
});

const execution = (id: string, status: string, ...eventIds: string[]): StoredExecution => ({
	id,
	status,
	eventIds,
});

test('one event in ten is forged, in three ways, and only where events are verified', () => {
	const forged = floodEvents(0, 60, true).flatMap(({ forgery }) => forgery ?? []);
	expect(forged).toHaveLength(6);
	expect(new Set(forged).size).toBe(3);
	expect(floodEvents(0, 60, false).flatMap(({ forgery }) => forgery ?? [])).toEqual([]);
	// The second half of a flood goes on where the first one ended.
	expect([...floodEvents(0, 25, true), ...floodEvents(25, 35, true)]).toEqual(
		floodEvents(0, 60, true),
	);
});

test('each body holds its own id alone', () => {
	for (const { id } of floodEvents(8, 4, true)) {
		expect(bodyOf(id).match(new RegExp(idPattern, 'g'))).toEqual([id]);
	}
});

test('a flood is right if each genuine event has one execution and no forged one has any', () => {
	const events = [sent('a', 200), sent('b', 401, 'no proof'), sent('c', 200)];
	const executions = [execution('1', 'success', 'a'), execution('2', 'success', 'c')];
	expect(faultsOf(events, executions)).toEqual([]);
});

test.each([
	['an event without an execution', [sent('a', 200)], []],
	['two executions', [sent('a', 200)], ['1', '2'].map((id) => execution(id, 'success', 'a'))],
	['one that failed', [sent('a', 200)], [execution('1', 'error', 'a')]],
	['a genuine event that was rejected', [sent('a', 401)], []],
	['no answer', [sent('a')], [execution('1', 'success', 'a')]],
	['a forged event that was accepted', [sent('a', 200, 'no proof')], []],
	['one that ran', [sent('a', 401, 'no proof')], [execution('1', 'success', 'a')]],
])('a flood is wrong with %s', (_, events, executions) => {
	expect(faultsOf(events, executions)).toHaveLength(1);
});

test.each([
	['no event', []],
	['an event that nobody sent', ['x']],
	['two events', ['a', 'b']],
])('a flood is wrong with an execution that holds %s', (_, ids) => {
	const executions = [
		execution('1', 'success', 'a'),
		execution('2', 'success', 'b'),
		execution('3', 'crashed', ...ids),
	];
	const faults = faultsOf([sent('a', 200), sent('b', 200)], executions);
	expect(faults).toContainEqual(expect.stringContaining('execution 3'));
});

test('outcomes tell answer and executions of each event, and the executions without one', () => {
	const events = [sent('a', 200), sent('b', 200), sent('c', 503), sent('d', 200), sent('e', 200)];
	const outcomes = outcomesOf(events, [
		execution('1', 'success', 'a'),
		execution('2', 'success', 'b'),
		execution('3', 'crashed', 'b'),
		execution('4', 'error'),
	]);
	expect(Object.fromEntries(outcomes)).toEqual({
		'answered 200: success': 1,
		'answered 200: crashed + success': 1,
		'answered 200: no execution': 2,
		'never answered 200: no execution': 1,
		'executions without an event: error': 1,
	});
	// One of the two may be what the nameless execution was about.
	expect(lostEvents(outcomes)).toBe(1);
});

test('an event that n8n swallowed at its start is told from one that the trigger has lost', () => {
	const outcomes = outcomesOf(
		[
			{ ...sent('a', 200), answer: 'n8n is starting up. Please wait' },
			{ ...sent('b', 200), answer: '{"received":true,"repeated":true}' },
		],
		[],
	);
	expect(Object.fromEntries(outcomes)).toEqual({
		'answered 200, "n8n is starting up": no execution': 1,
		'answered 200, repeated: no execution': 1,
	});
	expect(lostEvents(outcomes)).toBe(1);
});

test('nothing is lost if each event is in an execution', () => {
	expect(lostEvents(outcomesOf([sent('a', 200)], [execution('1', 'running', 'a')]))).toBe(0);
});

test('the same seed kills the same parts at the same moments, in the order of the moments', () => {
	const plan = planKills(7, 1000, 4);
	expect(plan).toEqual(planKills(7, 1000, 4));
	expect(plan).not.toEqual(planKills(8, 1000, 4));
	expect(plan).toHaveLength(20);
	const moments = plan.map(({ afterEvents }) => afterEvents);
	expect(moments).toEqual(moments.toSorted((one, other) => one - other));
	expect(Math.max(...moments)).toBeLessThan(1000);
});

test('processor time is read from what Linux tells of a process', () => {
	const line = '42 (a name) S) S 1 40 40 0 -1 4194560 9 0 0 0 150 50 7 7 20 0 11 0 9 9';
	expect(parseStatistics(line)).toEqual({ processGroup: 40, milliseconds: 2000 });
});
