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

const pinned = {
	verification: 'signature',
	signatureHeader: 'X-Webhook-Signature',
	unverifiedEvents: 'reject',
};

const timestamped = {
	...pinned,
	signedContent: 'timestampDotBody',
	timestampHeader: 'X-Webhook-Timestamp',
};

test('expects nothing else of forgeries than they say of themselves', () => {
	const sound = forgeryKinds.filter((kind) => !forgeries[kind].mustBeRefused);
	expect(sound).toEqual(rightInHex);
});

it.each<[string, INodeParameters, SettingsChange['signing'], boolean, string[]]>([
	['automatic, hex', {}, {}, false, rightInHex],
	['automatic, Base64', {}, { encoding: 'base64' }, false, ['wrongAndRightSignature']],
	['automatic, unsigned', {}, { mode: 'none' }, false, rightInHex],
	['a signature, whatever the token', pinned, {}, true, rightInHex],
	['a signature with timestamp', timestamped, { signedContent: 'timestampDotBody' }, true, []],
])(
	'refuses every forgery, with %s',
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

/** Turns the words of `verifiedBy` into the parameters that pin them, as a person would. */
function parametersFrom(verifiedBy: unknown): INodeParameters {
	const pattern = /^signature header:(\S+) (\S+) (\S+) (\S+?)(?: timestamp:(\S+))?$/;
	const [, header, algorithm, encoding, content, timestampHeader] =
		pattern.exec(String(verifiedBy)) ?? [];
	return {
		verification: 'signature',
		signatureHeader: header,
		signatureAlgorithm: algorithm,
		signatureEncoding: encoding,
		signedContent: content,
		...(timestampHeader && { timestampHeader }),
	};
}

test('can be pinned to what a test event shows', async () => {
	const { sandbox } = bed();
	sandbox.configure({
		signing: { algorithm: 'sha1', signedContent: 'timestampDotBody', timestampHeader: 'X-Time' },
	});
	const workflow = await TriggerWorkflow.save(bed());
	await workflow.listen();
	await sandbox.pay('page');
	const [shown] = await workflow.outputs(1, 'manual');
	const verifiedBy =
		'signature header:x-webhook-signature sha1 hex timestampDotBody timestamp:x-time';
	expect(shown).toMatchObject({ verified: true, verifiedBy });

	await workflow.setParameters(parametersFrom(shown?.['verifiedBy']));
	expect(await workflow.publish()).toMatchObject({ status: 'published' });
	// The signature is the one proof that counts, so the address needs no token.
	expect(registeredUrls(sandbox).at(-1)).toMatch(/\/webhook$/);
	await sandbox.pay('page');
	expect(await workflow.outputs(1)).toMatchObject([{ verified: true, verifiedBy }]);

	sandbox.configure({ signing: { mode: 'secretInHeader' } });
	const { deliveries } = await sandbox.pay('page');
	expect(deliveries[0]?.tries[0]?.status).toBe(401);
	expect(await workflow.count()).toBe(1);
	await workflow.unpublish();
});

test('accepts nothing weaker than what it has seen, also after a restart, until it is published again', async () => {
	const { sandbox, n8n } = bed();
	const pay = async (mode: 'hmac' | 'none') => {
		sandbox.configure({ signing: { mode }, retry: { maximumTries: 1 } });
		const { deliveries } = await sandbox.pay('page');
		return { id: deliveries[0]?.id ?? '', status: deliveries[0]?.tries[0]?.status };
	};
	const logStart = (await n8n.readLog()).length;
	const options = { ignoreRepeatedDeliveries: true };
	const workflow = await TriggerWorkflow.published(bed(), { options });
	expect(await pay('none')).toMatchObject({ status: 200 });
	const signed = await pay('hmac');
	expect(signed.status).toBe(200);
	for (let count = 1; count <= 3; count++) {
		expect(await pay('none')).toMatchObject({ status: 401 });
	}
	const rejections = (await n8n.readLog()).slice(logStart).match(/^.*rejected an event.*$/gm);
	expect(rejections).toEqual([
		expect.stringMatching(/in workflow "Payment events".*a weaker proof than earlier/),
	]);

	await n8n.restart();
	expect(await pay('none')).toMatchObject({ status: 401 });
	sandbox.configure({ signing: { mode: 'hmac' } });
	const { tries } = await sandbox.resend(signed.id);
	expect(tries).toMatchObject([{ status: 200, answer: '{"received":true,"repeated":true}' }]);

	await workflow.unpublish();
	await workflow.publish();
	expect(await pay('none')).toMatchObject({ status: 200 });
	expect(await workflow.outputs(3)).toMatchObject([
		{ verifiedBy: 'url token' },
		{ verifiedBy: expect.stringMatching(/^signature /) },
		{ verifiedBy: 'url token' },
	]);
	await workflow.unpublish();
}, 180_000);
