import { testModel } from './support/testModel';
import { Oracle } from './trigger/oracle';
import { calm, steps, take, type Step } from './trigger/steps';
import { World } from './trigger/world';

/** The trigger's life: whatever happens in whatever order, the rules of the oracle hold. */
async function run(drawn: Step[]): Promise<void> {
	const world = await World.start();
	try {
		const oracle = new Oracle(world);
		for (const step of drawn) await take(oracle, step);
		await calm(oracle);
	} finally {
		await world.stop();
	}
}

const pay: Step = ['pay', '7', 0, 'json'];
const forge: Step = ['forge', 'leakedToken', 'none', 'json'];
const edit: Step = ['edit', 0, 'fallbackUrl', true];

const onceFailed: Step[][] = [
	// What was sent to a test reached a published workflow, with that one's own token.
	[
		['publish', 0],
		['listen', 0],
		['forge', 'nothing', 'none', 'json'],
	],
	// A publication that failed in doubt took the address away from the one that had it.
	[
		['publish', 0],
		['service', 'cuts'],
		['publish', 1],
	],
	// n8n's own failure was answered as a forgery is.
	[['restart', 2], ['publish', 0], ['break', 'vault'], pay],
	// Static data that was written late brought back what had counted before.
	[['publish', 0], ['beginLong', 0], edit, pay, ['endLong', 0], forge],
	// An edit made the token enough again.
	[['publish', 0], pay, edit, forge],
];

testModel('the trigger', { steps, run, runs: 150, onceFailed });
