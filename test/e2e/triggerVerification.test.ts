import type { INodeParameters } from 'n8n-workflow';
import { forgeries, forgeryKinds, type SettingsChange } from '../../sandbox';
import { addPage, firstStatus, payAt } from '../support/service';
import { useTestBed } from './support/bed';
import { TriggerWorkflow } from './support/triggerWorkflow';

/** Forged events at an address of n8n, and what n8n keeps of those that were not. */
const bed = useTestBed({ environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } });

jest.setTimeout(180_000);

beforeEach(async () => {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
});

/** Right signatures in an odd form, which are no forgeries. */
const odd = forgeryKinds.filter((kind) => !forgeries[kind].mustBeRejected);

const timed =
	'signature header:x-webhook-signature sha256 hex timestamp.body timestamp:x-webhook-timestamp';

test.each<[string, INodeParameters, SettingsChange['signing'], typeof odd]>([
	['whatever the node has seen', {}, {}, odd],
	['with a time', { options: { requiredProof: timed } }, { signedContent: 'timestampDotBody' }, []],
])('rejects every forgery: %s', async (_, parameters, signing, accepted) => {
	const { sandbox } = bed();
	sandbox.configure({ signing });
	const workflow = await TriggerWorkflow.published(bed(), parameters);
	expect(await payAt(sandbox, 'page')).toBe(200);
	const statuses: Array<[string, unknown]> = [];
	for (const kind of forgeryKinds) {
		statuses.push([kind, firstStatus(await sandbox.forge(kind, { keepToken: true }))]);
	}
	expect(statuses).toEqual(forgeryKinds.map((kind) => [kind, accepted.includes(kind) ? 200 : 401]));
	// An older n8n answers before it has stored the event.
	expect(await workflow.outputs(accepted.length + 1)).toHaveLength(accepted.length + 1);
	await workflow.unpublish();
});

test('accepts nothing weaker than what it has seen, also after a restart, until it is published again', async () => {
	const { sandbox, n8n } = bed();
	const pay = async (mode: 'hmac' | 'none') => {
		sandbox.configure({ signing: { mode }, retry: { maximumTries: 1 } });
		return payAt(sandbox, 'page');
	};
	const logStart = (await n8n.readLog()).length;
	const workflow = await TriggerWorkflow.published(bed());
	expect([await pay('none'), await pay('hmac')]).toEqual([200, 200]);
	expect([await pay('none'), await pay('none')]).toEqual([401, 401]);
	const rejections = (await n8n.readLog()).slice(logStart).match(/^.*rejected an event.*$/gm);
	const words = /in workflow "Payment events".*weaker than that of earlier/;
	expect(rejections).toEqual([expect.stringMatching(words)]);
	// n8n writes what was learned with the end of an execution.
	await workflow.outputs(2);

	await n8n.restart();
	expect(await pay('none')).toBe(401);
	// An edit does not make it forget, either.
	await workflow.setParameters({ options: { toleranceSeconds: 60 } });
	await workflow.publish();
	expect(await pay('none')).toBe(401);

	await workflow.unpublish();
	await workflow.publish();
	expect(await pay('none')).toBe(200);
	expect(await workflow.outputs(3)).toMatchObject([
		{ verifiedBy: 'url token' },
		{ verifiedBy: 'signature header:x-webhook-signature sha256 hex body' },
		{ verifiedBy: 'url token' },
	]);
	await workflow.unpublish();
});
