import { faultsOf, faultsUndisturbed, outcomesOf } from '../../bench/flood/outcomes';
import { floodEvents, type Sent } from '../../bench/flood/send';
import { idPattern } from '../../bench/shared/events';
import { goalTable, medianRatio } from '../../bench/shared/figures';
import { readOptions } from '../../bench/shared/options';
import { parseStatistics } from '../../bench/shared/processorTime';

test.each([
	[['speed'], /^There is no part "speed"\.\nnpm run bench -- \[verification\]/],
	[['--items', '0'], /^--items must be a whole number from 1 on, but is "0"\.\nnpm run bench/],
	[['--twice'], /Unknown option '--twice'[^]*\nnpm run bench/],
])('the command line %j is rejected with how it is used', (commandLine, message) => {
	expect(() => readOptions(commandLine)).toThrow(message);
});

test('figures are compared round by round, and judged by a goal', () => {
	expect(medianRatio([2, 30, 9], [1, 10, 3])).toBe(3);
	expect(medianRatio([10, 2, 4, 1], [1, 1, 1, 1])).toBe(3);
	const judged = (goal: object) => goalTable([{ what: 'speed', measured: NaN, ...goal }]);
	expect(judged({ measured: 0.5, atMost: 0.5 })).toContain('| at most 0.5 | 0.5 | met |');
	expect(judged({ measured: 0.5001, atMost: 0.5 })).toContain('| 0.5 | NOT met |');
	expect(judged({ atLeast: 1.2 })).toContain('| at least 1.2 | NaN | NOT met |');
	// What Linux tells of a process, as in /proc/42/stat.
	const line = '42 (a name) S) S 1 40 40 0 -1 4194560 9 0 0 0 150 50 7 7 20 0 11 0 9 9';
	expect(parseStatistics(line)).toEqual({ processGroup: 40, milliseconds: 2000 });
});

test('a flood has one forged event in ten, only where events are verified, and each its own id', () => {
	const receiver = { name: '', workflowId: '', url: '' };
	const headers = (_: string, key = 'right') => ({ key });
	const events = floodEvents({ ...receiver, headers }, 60);
	const forgeries = events.flatMap(({ forgery }) => forgery ?? []);
	expect([forgeries.length, new Set(forgeries).size]).toEqual([6, 3]);
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
const success = { id: '1', status: 'success', eventIds: ['a'] };
const nameless = { id: '2', status: 'crashed', eventIds: [] };

test.each([
	['each event is where it belongs', [sent('a', 200), sent('b', 401, true)], [success], 0, 0],
	['one was answered 200 and is nowhere', [sent('a', 200), sent('c', 200)], [success], 1, 1],
	['it may be what crashed', [sent('a', 200), sent('c', 200)], [success, nameless], 0, 2],
	['two can not', [sent('b', 200), sent('c', 200)], [success, nameless], 1, 2],
	['one was not answered', [sent('a', 200), sent('c')], [success], 0, 1],
	['a genuine one was rejected', [sent('a', 401)], [success], 1, 1],
	['a forged one was accepted', [sent('a', 200), sent('b', 200, true)], [success], 1, 1],
	['a forged one ran', [sent('a', 401, true)], [success], 1, 1],
])('a flood in which %s', (_, events, executions, faults, undisturbed) => {
	const outcomes = outcomesOf(events, executions);
	expect(faultsOf(outcomes)).toHaveLength(faults);
	expect(faultsUndisturbed(outcomes)).toHaveLength(undisturbed);
});
