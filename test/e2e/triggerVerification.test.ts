import type { INodeParameters } from 'n8n-workflow';
import { forgeries, forgeryKinds, type SettingsChange } from '../../sandbox';
import { useTestBed } from './support/testBed';
import { addPage, registeredUrls, TriggerWorkflow } from './support/triggerWorkflow';

const bed = useTestBed({ environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } });

jest.setTimeout(120_000);

beforeEach(async () => {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
});

/** Sends every forgery there is and gives, by kind, what it was answered. */
async function forgeAll(keepToken: boolean): Promise<Record<string, number | null | undefined>> {
	const statuses: Record<string, number | null | undefined> = {};
	for (const kind of forgeryKinds) {
		const { tries } = await bed().sandbox.forge(kind, { keepToken });
		statuses[kind] = tries[0]?.status;
	}
	return statuses;
}

/** Right signatures in an odd form, which are no forgeries. */
function expectedStatuses(accepted: string[]) {
	return Object.fromEntries(
		forgeryKinds.map((kind) => [kind, accepted.includes(kind) ? 200 : 401] as const),
	);
}

const rightInHex = ['signatureUpperCase', 'signatureLowerCase', 'wrongAndRightSignature'];

function required(content: string): INodeParameters {
	const requiredProof = `signature header:x-webhook-signature sha256 hex ${content}`;
	return { options: { requiredProof } };
}

test('expects nothing else of forgeries than they say of themselves', () => {
	const sound = forgeryKinds.filter((kind) => !forgeries[kind].mustBeRejected);
	expect(sound).toEqual(rightInHex);
});

it.each<[string, INodeParameters, SettingsChange['signing'], boolean, string[]]>([
	['hex', {}, {}, false, rightInHex],
	['Base64', {}, { encoding: 'base64' }, false, ['wrongAndRightSignature']],
	['unsigned', {}, { mode: 'none' }, false, rightInHex],
	['a required signature, whatever the token', required('body'), {}, true, rightInHex],
	[
		'a required signature with a time',
		required('timestamp.body timestamp:x-webhook-timestamp'),
		{ signedContent: 'timestampDotBody' },
		true,
		[],
	],
])(
	'rejects every forgery: %s',
	async (_, parameters, signing, keepToken, accepted) => {
		const { sandbox } = bed();
		sandbox.configure({ signing });
		const workflow = await TriggerWorkflow.published(bed(), parameters);
		const { payment } = await sandbox.pay('page');
		expect(await workflow.newestOutput(1)).toMatchObject({
			body: { paymentId: payment.id },
			verified: true,
		});
		expect(await forgeAll(keepToken)).toEqual(expectedStatuses(accepted));
		// An older n8n answers before it has stored the event.
		await workflow.outputs(accepted.length + 1);
		expect(await workflow.count()).toBe(accepted.length + 1);
		await workflow.unpublish();
	},
	120_000,
);

test('can require what an event has shown, by its own words', async () => {
	const { sandbox } = bed();
	sandbox.configure({
		signing: { algorithm: 'sha1', signedContent: 'timestampDotBody', timestampHeader: 'X-Time' },
	});
	const workflow = await TriggerWorkflow.published(bed());
	await sandbox.pay('page');
	const [shown] = await workflow.outputs(1);
	const verifiedBy =
		'signature header:x-webhook-signature sha1 hex timestamp.body timestamp:x-time';
	expect(shown).toMatchObject({ verified: true, verifiedBy });

	await workflow.setParameters({ options: { requiredProof: verifiedBy } });
	expect(await workflow.publish()).toMatchObject({ status: 'published' });
	// The signature is the one proof that counts, so the address needs no token.
	expect(registeredUrls(sandbox).at(-1)).toMatch(/\/webhook$/);
	await sandbox.pay('page');
	expect(await workflow.outputs(2)).toMatchObject([shown, { verified: true, verifiedBy }]);

	sandbox.configure({ signing: { mode: 'secretInHeader' } });
	const { deliveries } = await sandbox.pay('page');
	expect(deliveries[0]?.tries[0]?.status).toBe(401);
	expect(await workflow.count()).toBe(2);
	await workflow.unpublish();
});

test('accepts nothing weaker than what it has seen, also after a restart, until it is published again', async () => {
	const { sandbox, n8n } = bed();
	const pay = async (mode: 'hmac' | 'none') => {
		sandbox.configure({ signing: { mode }, retry: { maximumTries: 1 } });
		const { deliveries } = await sandbox.pay('page');
		return deliveries[0]?.tries[0]?.status;
	};
	const logStart = (await n8n.readLog()).length;
	const workflow = await TriggerWorkflow.published(bed());
	expect(await pay('none')).toBe(200);
	expect(await pay('hmac')).toBe(200);
	for (let count = 1; count <= 3; count++) {
		expect(await pay('none')).toBe(401);
	}
	const rejections = (await n8n.readLog()).slice(logStart).match(/^.*rejected an event.*$/gm);
	expect(rejections).toEqual([
		expect.stringMatching(/in workflow "Payment events".*weaker than that of earlier/),
	]);

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
		{ verifiedBy: expect.stringMatching(/^signature /) },
		{ verifiedBy: 'url token' },
	]);
	await workflow.unpublish();
}, 180_000);
