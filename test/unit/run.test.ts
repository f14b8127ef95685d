import fc from 'fast-check';

import { retryWait, waitUnlessCanceled } from '../../nodes/PaymentPage/run/send';
import { ExclusiveQueue, Limiter } from '../../nodes/shared/queue';

async function ticks(count: number): Promise<void> {
	for (let tick = 0; tick < count; tick++) await Promise.resolve();
}

test('the limiter never runs more than it may, and all of them, in order', async () => {
	const durations = fc.array(fc.integer({ min: 1, max: 5 }));
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 6 }), durations, async (limit, drawn) => {
			const limiter = new Limiter(limit);
			const started: number[] = [];
			let [running, most] = [0, 0];
			const results = drawn.map((count, index) =>
				limiter.run(async () => {
					started.push(index);
					most = Math.max(most, ++running);
					await ticks(count);
					running--;
					return index;
				}),
			);
			const all = [...drawn.keys()];
			expect(await Promise.all(results)).toEqual(all);
			await limiter.whenIdle();
			expect(started).toEqual(all);
			expect(most).toBe(Math.min(limit, drawn.length));
		}),
	);
});

test.each([true, false])('the limiter closes on a failure, if it is to: %j', async (closes) => {
	const limiter = new Limiter(1, closes);
	const bad = limiter.run(async () => await Promise.reject(new Error('failed')));
	const last = limiter.run(async () => await Promise.resolve('done'));
	await expect(bad).rejects.toThrow('failed');
	expect([await last, limiter.isClosed]).toEqual([closes ? undefined : 'done', closes]);
});

test('tasks with one key run one after the other, in their order; other keys do not wait', async () => {
	const key = fc.constantFrom('a', 'b', 'c');
	const tasks = fc.array(fc.record({ key, count: fc.nat(5), fails: fc.boolean() }));
	await fc.assert(
		fc.asyncProperty(tasks, async (drawn) => {
			const queue = new ExclusiveQueue();
			void queue.run('another', async () => await new Promise<never>(() => undefined));
			const log: string[] = [];
			const results = drawn.map(async ({ key, count, fails }, index) =>
				queue.run(key, async () => {
					log.push(`${key} ${index} starts`);
					await ticks(count);
					log.push(`${key} ${index} ends`);
					if (fails) throw new Error(`task ${index}`);
				}),
			);
			// All that can run at once does: only equal keys wait.
			expect(queue.size).toBe(new Set(drawn.map((task) => task.key)).size + 1);
			const settled = await Promise.allSettled(results);
			expect(settled.map(({ status }) => status === 'rejected')).toEqual(
				drawn.map(({ fails }) => fails),
			);
			const inTurn = drawn.flatMap(({ key }, index) =>
				['starts', 'ends'].map((what) => `${key} ${index} ${what}`),
			);
			for (const one of ['a', 'b', 'c']) {
				const ofKey = (entry: string) => entry.startsWith(one);
				expect(log.filter(ofKey)).toEqual(inTurn.filter(ofKey));
			}
			expect(queue.size).toBe(1);
		}),
	);
});

test.each([
	[0, undefined, 250, 750],
	[1, undefined, 500, 1500],
	[2, undefined, 1000, 3000],
	// What the service asks for, and a little more so that items do not come in step.
	[2, 0, 0, 250],
	[0, 5000, 5000, 5250],
])('retry %i after %p waits from %i to %i ms', (retry, retryAfter, shortest, longest) => {
	expect(retryWait(retry, retryAfter, 0)).toBe(shortest);
	expect(retryWait(retry, retryAfter, 1)).toBe(longest);
});

test('a wait ends when it is over, and early when the execution is stopped', async () => {
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
