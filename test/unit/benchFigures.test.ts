import { inParallel } from '../../bench/shared/inParallel';
import { goalTable, table } from '../../bench/shared/markdown';
import { inRounds } from '../../bench/shared/rounds';
import { median, medianRatio, rounded } from '../../bench/shared/statistics';

test.each([
	[[3], 3],
	[[5, 1, 3], 3],
	[[10, 2, 4, 1], 3],
])('the median of %j is %d', (values, middle) => {
	expect(median(values)).toBe(middle);
});

test('compares two contestants round by round', () => {
	expect(medianRatio([2, 30, 9], [1, 10, 3])).toBe(3);
});

test('rounds to a number of digits', () => {
	expect([rounded(1.2345, 2), rounded(2.0001, 3), rounded(7.5)]).toEqual([1.23, 2, 8]);
});

test('tables have text to the left and numbers to the right', () => {
	expect(table(['', 'ms'], [['ours', 12.5]])).toBe('|  | ms |\n| --- | --: |\n| ours | 12.5 |');
});

test.each([
	[{ measured: 0.5, atMost: 0.5 }, '| at most 0.5 | 0.5 | met |'],
	[{ measured: 0.5001, atMost: 0.5 }, '| at most 0.5 | 0.5 | NOT met |'],
	[{ measured: 1.2345, atLeast: 1.2 }, '| at least 1.2 | 1.234 | met |'],
	[{ measured: NaN, atLeast: 1.2 }, '| at least 1.2 | NaN | NOT met |'],
])('the goal %j is judged by what was measured', (goal, cells) => {
	expect(goalTable([{ what: 'speed', ...goal }])).toContain(`| speed ${cells}`);
});

test('contestants take turns, in one order forwards and then backwards', async () => {
	const turns: string[] = [];
	const results = await inRounds(['a', 'b'], 3, async (name) => turns.push(name));
	expect(turns.join('')).toBe('abbaab');
	expect([...results]).toEqual([
		['a', [1, 4, 5]],
		['b', [2, 3, 6]],
	]);
});

test('works through a list on so many entries at once, and keeps its order', async () => {
	const begun: Array<() => void> = [];
	const work = inParallel([1, 2, 3, 4, 5], 2, async (entry) => {
		await new Promise<void>((resolve) => begun.push(resolve));
		return entry * 10;
	});
	expect(begun).toHaveLength(2);
	for (let next = 0; next < 5; next++) {
		expect(begun.length).toBe(Math.min(5, next + 2));
		begun[next]?.();
		await new Promise(setImmediate);
	}
	expect(await work).toEqual([10, 20, 30, 40, 50]);
});
