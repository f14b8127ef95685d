import type { SettingsChange } from '../../../sandbox';
import { logged } from './addresses';
import { useTrigger } from './useTrigger';

const trigger = useTrigger();

type Signing = NonNullable<SettingsChange['signing']>;

/** The weakest first. */
const kinds: Array<[name: string, signing: Signing]> = [
	['url token', { mode: 'none' }],
	['secret', { mode: 'secretInHeader' }],
	['signature', { mode: 'hmac' }],
];

async function payWith(signing: Signing) {
	trigger.service.configure({ signing });
	return await trigger.pay();
}

const pairs = kinds.flatMap(([learned, first]) =>
	kinds.map(([shown, second]) => ({ learned, first, shown, second })),
);

function rank(name: string): number {
	return kinds.findIndex(([kind]) => kind === name);
}

describe.each([
	['in the same process', () => undefined],
	['after a restart', () => trigger.n8n.restart()],
	['in other processes', () => trigger.n8n.restart({ receivers: 2 })],
])('%s', (_, change) => {
	test.each(pairs)(
		'after a proof by $learned, one by $shown counts only if it is not weaker',
		async ({ learned, first, shown, second }) => {
			const workflow = trigger.workflow();
			await workflow.publish();
			expect(await payWith(first)).toBe(200);
			change();
			const isAccepted = rank(shown) >= rank(learned);
			for (let count = 0; count < 3; count++) {
				expect(await payWith(second)).toBe(isAccepted ? 200 : 401);
			}
			expect(workflow.outputs()).toHaveLength(isAccepted ? 4 : 1);
			if (!isAccepted) {
				expect(logged(trigger, 'warn').join()).toMatch(/weaker than that of earlier events/);
			}
			// What is stronger still counts, and then nothing less.
			expect(await payWith({ mode: 'hmac' })).toBe(200);
			expect(await payWith({ mode: 'none' })).toBe(401);
		},
	);
});

test('a wrong signature is unverified, whatever the token says, once signatures are known', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	const url = trigger.registrations[0]?.webhookUrl ?? '';
	const forged = { 'x-webhook-signature': 'a'.repeat(64) };
	expect((await trigger.post(url, '{"n":1}', forged)).status).toBe(200);
	expect(await trigger.pay()).toBe(200);
	expect((await trigger.post(url, '{"n":2}', forged)).status).toBe(401);
	expect((await trigger.post(url, '{"n":3}')).status).toBe(401);
	expect(workflow.outputs()).toHaveLength(2);
});

test('publishing anew learns anew', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	expect(await payWith({ mode: 'hmac' })).toBe(200);
	expect(await payWith({ mode: 'none' })).toBe(401);
	await workflow.unpublish();
	await workflow.publish();
	expect(await payWith({ mode: 'none' })).toBe(200);
});

test('who does not know the secret teaches nothing', async () => {
	const workflow = trigger.workflow({ parameters: { options: { acceptUnverified: true } } });
	await workflow.publish();
	for (const kind of ['wrongSecret', 'secretPrefix', 'unsigned'] as const) {
		await trigger.service.forge(kind);
	}
	expect(await payWith({ mode: 'none' })).toBe(200);
	expect(workflow.outputs().at(-1)).toMatchObject({ verified: true, verifiedBy: 'url token' });
});

test('a weaker proof is shown as none where unverified events are accepted', async () => {
	const workflow = trigger.workflow({ parameters: { options: { acceptUnverified: true } } });
	await workflow.publish();
	await payWith({ mode: 'hmac' });
	expect(await payWith({ mode: 'none' })).toBe(200);
	expect(workflow.outputs().at(-1)).toMatchObject({ verified: false, verifiedBy: null });
	expect(logged(trigger, 'warn').join()).toMatch(/weaker/);
});

test('a flood of forgeries is one line in the log, which says why', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	const before = logged(trigger, 'warn').length;
	await Promise.all(
		Array.from({ length: 50 }, () => trigger.post(workflow.productionUrl, '{"forged":true}')),
	);
	expect(logged(trigger, 'warn').slice(before)).toEqual([
		expect.stringMatching(/rejected an event\. It has no valid proof\./),
	]);
	expect(workflow.outputs()).toEqual([]);
});

describe('the address as services spoil it', () => {
	test.each([
		['a second "?"', (url: string) => `${url}?source=pay`],
		['more parameters', (url: string) => `${url}&source=pay`],
		['parameters in front', (url: string) => url.replace('?', '?source=pay&')],
		['a slash at the end', (url: string) => `${url}/`],
		['slashes at the end', (url: string) => `${url}//`],
		['a slash before the "?"', (url: string) => url.replace('?', '/?')],
		['a slash behind the "?"', (url: string) => url.replace('?', '?/')],
		['an encoded "="', (url: string) => url.replace('token=', 'token%3D')],
	])('%s: the token counts, and is in no output', async (_, spoil) => {
		trigger.service.configure({ signing: { mode: 'none' } });
		const workflow = trigger.workflow();
		await workflow.publish();
		const url = trigger.registrations[0]?.webhookUrl ?? '';
		trigger.n8n.restart();
		expect((await trigger.post(spoil(url), '{"a":1}')).status).toBe(200);
		expect(workflow.outputs()).toMatchObject([{ verified: true, verifiedBy: 'url token' }]);
		const token = new URL(url).searchParams.get('token') ?? '';
		expect(JSON.stringify(workflow.outputs())).not.toContain(token);
	});
});
