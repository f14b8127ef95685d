import { setTimeout as sleep } from 'node:timers/promises';

const pauseMilliseconds = 2_000;
const mostSamples = 30;

/** A figure once it stays where it is: when two in a row differ by less than 1%. */
export async function settled(figure: () => Promise<number>): Promise<number> {
	let last = await figure();
	for (let samples = 1; samples < mostSamples; samples++) {
		await sleep(pauseMilliseconds);
		const next = await figure();
		if (Math.abs(next - last) < 0.01 * last) return next;
		last = next;
	}
	return last;
}
