import type { INodeParameters } from 'n8n-workflow';
import { forgeries, forgeryKinds, type SettingsChange } from '../../sandbox';
import { useTestBed } from './support/testBed';
import { addPage, registeredUrl, registrations, TriggerWorkflow } from './support/triggerWorkflow';

const bed = useTestBed();

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

it('expects nothing else of forgeries than they say of themselves', () => {
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
		expect(await forgeAll(keepToken)).toEqual(expectedStatuses(accepted));
		expect(await workflow.count()).toBe(accepted.length);
		const { payment } = await sandbox.pay('page');
		const outputs = await workflow.outputs(accepted.length + 1);
		expect(outputs.at(-1)).toMatchObject({ body: { paymentId: payment.id }, verified: true });
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

it.each<[string, NonNullable<SettingsChange['signing']>]>([
	['signature header:x-webhook-signature sha256 hex body', {}],
	[
		'signature header:x-sig sha512 base64 body',
		{ header: 'X-Sig', algorithm: 'sha512', encoding: 'base64', prefix: 'sha512=' },
	],
	[
		'signature header:x-webhook-signature sha1 hex timestampDotBody timestamp:x-time',
		{ algorithm: 'sha1', signedContent: 'timestampDotBody', timestampHeader: 'X-Time' },
	],
])(
	'can be pinned to what a test event shows: %s',
	async (verifiedBy, signing) => {
		const { sandbox } = bed();
		sandbox.configure({ signing });
		const workflow = await TriggerWorkflow.save(bed());
		await workflow.listen();
		await sandbox.pay('page');
		const [shown] = await workflow.outputs(1, 'manual');
		expect(shown).toMatchObject({ verified: true, verifiedBy });

		await workflow.setParameters(parametersFrom(shown?.['verifiedBy']));
		expect(await workflow.publish()).toMatchObject({ status: 'published' });
		await sandbox.pay('page');
		expect(await workflow.outputs(1)).toMatchObject([{ verified: true, verifiedBy }]);

		sandbox.configure({ signing: { mode: 'secretInHeader' } });
		const { deliveries } = await sandbox.pay('page');
		expect(deliveries[0]?.tries[0]?.status).toBe(401);
		expect(await workflow.count()).toBe(1);
		await workflow.unpublish();
	},
	60_000,
);

it.each([
	['secretInHeader', 'secret header:x-webhook-signature'],
	['none', 'url token'],
] as const)('accepts a service with the setting %s by itself: %s', async (mode, verifiedBy) => {
	const { sandbox } = bed();
	sandbox.configure({ signing: { mode } });
	const workflow = await TriggerWorkflow.published(bed());
	await sandbox.pay('page');
	const [output] = await workflow.outputs(1);
	expect(output).toMatchObject({ verified: true, verifiedBy, query: {} });
	expect(output?.['headers']).not.toHaveProperty('x-webhook-signature');
	const token = new URL(registeredUrl(sandbox)).searchParams.get('token') ?? '';
	const { secret } = registrations(sandbox)[0] ?? { secret: '' };
	expect([token.length, secret.length]).toEqual([32, 64]);
	expect(JSON.stringify(output)).not.toContain(token);
	expect(JSON.stringify(output)).not.toContain(secret);
	await workflow.unpublish();
});

it('starts with an unverified event when the user accepts that, and says so', async () => {
	const { sandbox } = bed();
	const workflow = await TriggerWorkflow.published(bed(), { unverifiedEvents: 'accept' });
	const { tries } = await sandbox.forge('wrongSecret', { reference: 'made-up' });
	expect(tries[0]?.status).toBe(200);
	await sandbox.pay('page');
	expect(await workflow.outputs(2)).toMatchObject([
		{ verified: false, verifiedBy: null, body: { paymentPageLinkReference: 'made-up' } },
		{ verified: true },
	]);
	await workflow.unpublish();
});
