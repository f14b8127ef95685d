import fc from 'fast-check';

import { ExclusiveQueue } from '../../nodes/shared/queue';

test('tasks with one key run one after the other, in their order; other keys do not wait', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(
				fc.record({
					key: fc.constantFrom('a', 'b', 'c'),
					ticks: fc.nat(5),
					fails: fc.boolean(),
				}),
			),
			async (tasks) => {
				const queue = new ExclusiveQueue();
				const running = new Set<string>();
				const ended: Array<[key: string, index: number]> = [];
				const results = tasks.map(
					async ({ key, ticks, fails }, index) =>
						await queue.run(key, async () => {
							expect(running.has(key)).toBe(false);
							running.add(key);
							for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
							running.delete(key);
							ended.push([key, index]);
							if (fails) throw new Error(`task ${index}`);
							return index;
						}),
				);
				// All that can run at once does: only equal keys wait.
				expect(queue.size).toBe(new Set(tasks.map(({ key }) => key)).size);
				const settled = await Promise.allSettled(results);
				expect(settled.map((one) => one.status === 'rejected')).toEqual(
					tasks.map(({ fails }) => fails),
				);
				for (const key of ['a', 'b', 'c']) {
					const order = ended.filter(([one]) => one === key).map(([, index]) => index);
					expect(order).toEqual([...order].sort((first, second) => first - second));
				}
				expect(queue.size).toBe(0);
			},
		),
	);
});

test('a task does not wait for one with another key', async () => {
	const queue = new ExclusiveQueue();
	const never = queue.run('a', async () => await new Promise<never>(() => undefined));
	void never;
	expect(await queue.run('b', async () => 'done')).toBe('done');
	expect(queue.size).toBe(1);
});
