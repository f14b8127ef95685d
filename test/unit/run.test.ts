import fc from 'fast-check';

import { showFor } from '../../nodes/PaymentPage/fields/pageFields';
import { retryWait, waitUnlessCanceled } from '../../nodes/PaymentPage/run/send';
import { ExclusiveQueue, Limiter } from '../../nodes/shared/queue';

test('the limiter never runs more than it may, and all of them, in order', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 6 }),
			fc.array(fc.integer({ min: 1, max: 5 })),
			async (limit, ticks) => {
				const limiter = new Limiter(limit);
				const started: number[] = [];
				let running = 0;
				let most = 0;
				const results = ticks.map((count, index) =>
					limiter.run(async () => {
						started.push(index);
						most = Math.max(most, ++running);
						for (let tick = 0; tick < count; tick++) await Promise.resolve();
						running--;
						return index;
					}),
				);
				expect(await Promise.all(results)).toEqual([...ticks.keys()]);
				await limiter.whenIdle();
				expect(started).toEqual([...ticks.keys()]);
				expect(most).toBe(Math.min(limit, ticks.length));
			},
		),
	);
});

test('the limiter closes itself on a failure, if it is to, before the next in line starts', async () => {
	for (const closes of [true, false]) {
		const limiter = new Limiter(1, closes);
		const good = limiter.run(async () => await Promise.resolve('done'));
		const bad = limiter.run(async () => await Promise.reject(new Error('failed')));
		const last = limiter.run(async () => await Promise.resolve('done'));
		expect(await good).toBe('done');
		await expect(bad).rejects.toThrow('failed');
		expect(await last).toBe(closes ? undefined : 'done');
		expect(limiter.isClosed).toBe(closes);
	}
});

test('tasks with one key run one after the other, in their order; other keys do not wait', async () => {
	const tasks = fc.record({
		key: fc.constantFrom('a', 'b', 'c'),
		ticks: fc.nat(5),
		fails: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(tasks), async (drawn) => {
			const queue = new ExclusiveQueue();
			void queue.run('another', async () => await new Promise<never>(() => undefined));
			const running = new Set<string>();
			const ended: Array<[key: string, index: number]> = [];
			const results = drawn.map(
				async ({ key, ticks, fails }, index) =>
					await queue.run(key, async () => {
						expect(running.has(key)).toBe(false);
						running.add(key);
						for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
						running.delete(key);
						ended.push([key, index]);
						if (fails) throw new Error(`task ${index}`);
					}),
			);
			// All that can run at once does: only equal keys wait.
			expect(queue.size).toBe(new Set(drawn.map(({ key }) => key)).size + 1);
			const settled = await Promise.allSettled(results);
			expect(settled.map((one) => one.status === 'rejected')).toEqual(
				drawn.map(({ fails }) => fails),
			);
			for (const key of ['a', 'b', 'c']) {
				const order = ended.filter(([one]) => one === key).map(([, index]) => index);
				expect(order).toEqual(order.toSorted((first, second) => first - second));
			}
			expect(queue.size).toBe(1);
		}),
	);
});

describe('the wait before a retry', () => {
	test.each([
		[0, undefined, 250, 750],
		[1, undefined, 500, 1500],
		[2, undefined, 1000, 3000],
		// What the service asks for, and a little more so that items do not come in step.
		[2, 0, 0, 250],
		[0, 5000, 5000, 5250],
	])('number %i after %p is from %i to %i ms', (retry, retryAfter, shortest, longest) => {
		expect(retryWait(retry, retryAfter, 0)).toBe(shortest);
		expect(retryWait(retry, retryAfter, 1)).toBe(longest);
	});

	test('ends when it is over, and early when the execution is stopped', async () => {
		const stop = new AbortController();
		const started = performance.now();
		expect(await waitUnlessCanceled(450, stop.signal)).toBe(true);
		expect(performance.now() - started).toBeGreaterThanOrEqual(445);
		expect(await waitUnlessCanceled(-5, undefined)).toBe(true);
		// Longer than a test may take.
		const wait = waitUnlessCanceled(60_000, stop.signal);
		stop.abort();
		expect(await wait).toBe(false);
		expect(await waitUnlessCanceled(0, stop.signal)).toBe(false);
	});
});

test('showFor adds a condition and keeps those that are there', () => {
	const property = { displayName: 'A', name: 'a', type: 'string', default: '' } as const;
	const once = showFor({ resource: ['x'] }, [property]);
	const [twice] = showFor({ operation: ['y'] }, once);
	expect(twice?.displayOptions).toEqual({ show: { resource: ['x'], operation: ['y'] } });
	expect(property).not.toHaveProperty('displayOptions');
});
