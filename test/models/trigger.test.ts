import { testModel } from './support/testModel';
import { Oracle } from './trigger/oracle';
import { calm, steps, take, type Step } from './trigger/steps';
import { World } from './trigger/world';

/** The trigger's life: whatever happens in whatever order, the rules of the oracle hold. */
async function run(drawn: Step[]): Promise<void> {
	const world = await World.start();
	try {
		const oracle = new Oracle(world);
		for (const step of drawn) await take(world, oracle, step);
		await calm(world, oracle);
	} finally {
		await world.stop();
	}
}

testModel('the trigger', { steps, run, runs: 100, onceFailed: [] });
