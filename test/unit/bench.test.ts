import { faultsOf, faultsUndisturbed, outcomesOf } from '../../bench/flood/outcomes';
import type { Sent } from '../../bench/flood/send';

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
