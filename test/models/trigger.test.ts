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

const publish: Step = ['publish', 0];
const end: Step = ['unpublish', 0];
const pay: Step = ['pay', '7', 0, 'json'];
const edit: Step = ['edit', 0, 'fallbackUrl', true];
const leak: Step = ['forge', 'leakedToken', 'none', 'json'];
const [unsigned, withSecret, signed] = (['none', 'secret', 'body'] as const).map(
	(signing): Step => ['sign', signing],
) as [Step, Step, Step];
const stumble: Step = ['service', 'stumbles'];
const late: Step = ['stray', 1, 1, false, 'production'];
const grow: Step[] = [
	...[unsigned, publish, pay, withSecret, pay, leak, leak, pay, pay],
	...[signed, pay, leak, leak, withSecret],
	['stray', 0, 0, true, 'production'],
	...[signed, pay],
];

const examples: Step[][] = [
	// What was sent to a test reached a published workflow, with that one's own token.
	[publish, ['listen', 0], ['forge', 'nothing', 'none', 'json']],
	// A publication that failed in doubt took the address away from the one that had it.
	[publish, ['service', 'cuts'], ['publish', 1]],
	// Nor does such a failure bring back what was unpublished.
	[publish, end, stumble, ['publish', 1]],
	// Nor one that a late event noted, although another was published after it.
	[['publish', 1], ['restart', 0], publish, end, stumble, late, publish],
	// n8n's own failure was answered as a forgery is.
	[['restart', 2], publish, ['break', 'vault'], pay],
	// Static data that was written late brought back what had counted before.
	[publish, ['beginLong', 0], edit, pay, ['endLong', 0], leak],
	// In each process, the required kind of proof only grows.
	grow,
	[['restart', 2], ...grow],
	// An edit does not make the token enough again, nor does another secret;
	[publish, pay, edit, leak],
	[publish, pay, ['rotate', 'a', 'secret'], edit, leak],
	// another merchant, a new name of the node and an end do.
	[publish, pay, ['rotate', 'a', 'merchant'], edit, unsigned, ['pay', '8', 0, 'json']],
	[publish, pay, ['rename', 0], publish, unsigned, pay],
	[publish, pay, end, publish, unsigned, pay],
	// What an event teaches while the service still holds the registration may count after it.
	[['service', 'holds'], publish, ['service', 'well'], pay, leak],
];

testModel('the trigger', { steps, run, runs: 150, examples });
