import { release } from '../../scripts/localN8n/installation';
import { failures } from '../support/failingActivations';
import { registrations } from '../support/service';
import { startTimeout, useTestBed } from './support/bed';
import { anotherSandbox, saveApiKey, withCredential } from './support/otherServices';
import { TriggerWorkflow } from './support/triggerWorkflow';

/** What comes of a registration that fails each of the times that n8n tries it. */
const bed = useTestBed({
	environment: {
		// On a busy machine it must not give up before it has tried five times, in 15 seconds at least.
		N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '300',
	},
});
jest.setTimeout(startTimeout);

// One of each kind; the engine tests have them all but the first, which takes long.
test.each(['no answer', 'code 96', 'wrong key', 'no proof'])(
	'says why an activation fails, and succeeds once that is mended: %s',
	async (name) => {
		const failure = failures[name] ?? { words: 'no such failure' };
		const sandbox = await anotherSandbox(failure.sandbox);
		const saved = await saveApiKey(bed(), sandbox, name, failure.credential);
		const { parameters } = failure;
		const workflow = await TriggerWorkflow.save(bed(), parameters, withCredential(saved));
		const { status, triggers } = await workflow.publish();
		expect(status).toBe('failed');
		expect(triggers).toMatchObject([
			{ errorMessage: expect.stringMatching(`^The webhook was not registered: ${failure.words}`) },
		]);
		expect(JSON.stringify(triggers)).not.toContain('4711');
		// A wrong parameter is rejected before anything is sent.
		const tries = parameters ? 0 : release.isOld ? 1 : 5;
		expect(registrations(sandbox)).toHaveLength(tries);

		sandbox.configure({ faults: [] });
		await saveApiKey(bed(), sandbox, name);
		await workflow.setParameters({});
		expect(await workflow.publish()).toMatchObject({ status: 'published' });
		expect(sandbox.state.registration).not.toBeNull();
	},
);
