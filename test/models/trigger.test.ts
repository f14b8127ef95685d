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

const pay = { do: 'pay', merchant: '7', days: 0, style: 'json' } as const;
const forge = { do: 'forge', how: 'leakedToken', signing: 'none', style: 'json' } as const;
const edit = { do: 'edit', workflow: 0, option: 'fallbackUrl', isPublished: true } as const;

const onceFailed: Step[][] = [
	// What was sent to a test reached a published workflow, with that one's own token.
	[
		{ do: 'publish', workflow: 0 },
		{ do: 'listen', workflow: 0 },
		{ ...forge, how: 'nothing' },
	],
	// A publication that failed in doubt took the address away from the one that had it.
	[
		{ do: 'publish', workflow: 0 },
		{ do: 'service', mode: 'cuts' },
		{ do: 'publish', workflow: 1 },
	],
	// n8n's own failure was answered as a forgery is.
	[
		{ do: 'restart', receivers: 2 },
		{ do: 'publish', workflow: 0 },
		{ do: 'break', part: 'vault' },
		pay,
	],
	// Static data that was written late brought back what had counted before.
	[
		{ do: 'publish', workflow: 0 },
		{ do: 'beginLong', workflow: 0 },
		edit,
		pay,
		{ do: 'endLong', workflow: 0 },
		forge,
	],
	// An edit made the token enough again.
	[{ do: 'publish', workflow: 0 }, pay, edit, forge],
];

testModel('the trigger', { steps, run, runs: 150, onceFailed });
