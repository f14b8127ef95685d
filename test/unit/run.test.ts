import fc from 'fast-check';

import { excerpt, InvalidFieldError } from '../../nodes/shared/errors';
import { showFor } from '../../nodes/PaymentPage/fields/pageFields';
import { retryWait, waitUnlessCanceled } from '../../nodes/PaymentPage/run/send';
import { Limiter } from '../../nodes/shared/queue';

describe('the limiter', () => {
	/** A task that ends when the test says so. */
	function task() {
		let end = (): void => undefined;
		let fail = (): void => undefined;
		const gate = new Promise<string>((resolve, reject) => {
			end = () => resolve('done');
			fail = () => reject(new Error('failed'));
		});
		const made = {
			started: false,
			run: async () => {
				made.started = true;
				return await gate;
			},
			end,
			fail,
		};
		return made;
	}

	async function turn(): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
	}

	test('starts the next in line when a place is free, in order', async () => {
		const limiter = new Limiter(2);
		const tasks = [task(), task(), task(), task()];
		const results = tasks.map(({ run }) => limiter.run(run));
		const started = () => tasks.map((one) => one.started);
		expect(started()).toEqual([true, true, false, false]);
		tasks[1]?.end();
		await turn();
		expect(started()).toEqual([true, true, true, false]);
		tasks.forEach(({ end }) => end());
		expect(await Promise.all(results)).toEqual(Array(4).fill('done'));
	});

	test('hands a failed task to whoever waits for it, and its place to the next', async () => {
		const limiter = new Limiter(1);
		const [first, second] = [task(), task()];
		const results = [limiter.run(first.run), limiter.run(second.run)];
		first.fail();
		await expect(results[0]).rejects.toThrow('failed');
		await turn();
		expect(second.started).toBe(true);
		second.end();
		expect(await results[1]).toBe('done');
	});

	test('once closed, lets what runs end and starts nothing more', async () => {
		const limiter = new Limiter(1);
		const [first, second] = [task(), task()];
		const results = [limiter.run(first.run), limiter.run(second.run)];
		limiter.close();
		const idle = limiter.whenIdle();
		first.end();
		await idle;
		expect(await Promise.all(results)).toEqual(['done', undefined]);
		expect(second.started).toBe(false);
		expect(await limiter.run(task().run)).toBeUndefined();
		expect(limiter.isClosed).toBe(true);
	});

	test('closes itself on a failure, if it is to, before the next in line starts', async () => {
		const limiter = new Limiter(1, true);
		const [good, bad, last] = [task(), task(), task()];
		const results = [good, bad, last].map(({ run }) => limiter.run(run));
		good.end();
		expect(await results[0]).toBe('done');
		expect(limiter.isClosed).toBe(false);
		bad.fail();
		await expect(results[1]).rejects.toThrow('failed');
		expect(limiter.isClosed).toBe(true);
		expect(await results[2]).toBeUndefined();
		expect(last.started).toBe(false);
	});

	test('is idle when nothing runs', async () => {
		await new Limiter(1).whenIdle();
	});

	test('never runs more than it may, and all of them', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 6 }),
				fc.array(fc.integer({ min: 1, max: 5 })),
				async (limit, ticks) => {
					const limiter = new Limiter(limit);
					let running = 0;
					let most = 0;
					const results = ticks.map((count, index) =>
						limiter.run(async () => {
							most = Math.max(most, ++running);
							for (let tick = 0; tick < count; tick++) await Promise.resolve();
							running--;
							return index;
						}),
					);
					expect(await Promise.all(results)).toEqual(ticks.map((_count, index) => index));
					await limiter.whenIdle();
					expect(most).toBe(Math.min(limit, ticks.length));
				},
			),
		);
	});
});

describe('the wait before a retry', () => {
	test.each([
		[0, 250, 750],
		[1, 500, 1500],
		[2, 1000, 3000],
	])('number %i is from %i to %i ms', (retry, shortest, longest) => {
		expect(retryWait(retry, undefined, 0)).toBe(shortest);
		expect(retryWait(retry, undefined, 1)).toBe(longest);
	});

	test('is what the service asks for, and a little more so that items do not come in step', () => {
		expect(retryWait(2, 0, 0)).toBe(0);
		expect(retryWait(0, 5000, 0)).toBe(5000);
		expect(retryWait(0, 5000, 1)).toBe(5250);
	});

	test('ends when it is over', async () => {
		const started = performance.now();
		expect(await waitUnlessCanceled(450, new AbortController().signal)).toBe(true);
		expect(performance.now() - started).toBeGreaterThanOrEqual(445);
		expect(await waitUnlessCanceled(0, undefined)).toBe(true);
		expect(await waitUnlessCanceled(-5, undefined)).toBe(true);
	});

	test('ends early when the execution is stopped', async () => {
		const stop = new AbortController();
		// Longer than a test may take.
		const wait = waitUnlessCanceled(60_000, stop.signal);
		stop.abort();
		expect(await wait).toBe(false);
		expect(await waitUnlessCanceled(0, stop.signal)).toBe(false);
	});
});

describe('an excerpt', () => {
	test.each([
		['text', '"text"'],
		['x'.repeat(60), `"${'x'.repeat(60)}"`],
		['😀'.repeat(61), `"${'😀'.repeat(60)}…"`],
		[17, '"17"'],
		[NaN, '"NaN"'],
		[true, '"true"'],
		[{ a: [1] }, '"{"a":[1]}"'],
		[null, '"null"'],
		[undefined, '"undefined"'],
		[10n, '"bigint"'],
	])('of %p', (value, shown) => {
		expect(excerpt(value)).toBe(shown);
	});
});

test('a refused field is named first, and says what to do', () => {
	const error = new InvalidFieldError('Amount', 'is wrong', 'Write it right.');
	expect(error).toMatchObject({
		name: 'InvalidFieldError',
		field: 'Amount',
		message: 'Amount is wrong',
		advice: 'Write it right.',
	});
});

test('showFor adds a condition and keeps those that are there', () => {
	const property = { displayName: 'A', name: 'a', type: 'string', default: '' } as const;
	const once = showFor({ resource: ['x'] }, [property]);
	const [twice] = showFor({ operation: ['y'] }, once);
	expect(twice?.displayOptions).toEqual({ show: { resource: ['x'], operation: ['y'] } });
	expect(property).not.toHaveProperty('displayOptions');
});
