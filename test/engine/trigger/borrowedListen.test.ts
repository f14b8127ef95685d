import { waitFor } from '../../../scripts/shared/waitFor';
import { startAnsweringServer } from '../answeringServer';
import { addresses, logged, paymentIds, withToken } from './addresses';
import { useTrigger } from './useTrigger';

/** Tests of a workflow that is not published: they take the merchant's address over. */
const trigger = useTrigger();

const fallbackUrl = 'https://www.shop.example/events';

async function untilRegistered(expected: string[]): Promise<void> {
	await waitFor(() => addresses(trigger).length >= expected.length, { what: 'the registrations' });
	expect(addresses(trigger)).toEqual(expected);
}

/** An event that is answered 503 is answered before n8n stores its execution. */
async function untilShown(workflow: { outputs(mode: 'manual'): unknown[] }): Promise<void> {
	await waitFor(() => workflow.outputs('manual').length > 0, { what: 'the event to be shown' });
}

async function untilLogged(level: 'warn' | 'error', words: RegExp): Promise<void> {
	await waitFor(() => logged(trigger, level).some((text) => words.test(text)), {
		what: `${String(words)} in the log`,
	});
}

describe('when no workflow had the address', () => {
	test('the event is shown, and then events go nowhere, which is said', async () => {
		const workflow = trigger.workflow();
		await workflow.listen();
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs('manual')).toMatchObject([{ verified: true, query: {} }]);
		expect(workflow.outputs()).toEqual([]);
		await untilLogged('warn', /not published, so nothing receives events now\. Publish it/);
		expect(addresses(trigger)).toEqual([withToken(workflow.testUrl)]);
		expect(logged(trigger, 'error')).toEqual([]);
	});

	test.each([true, false])('the fallback URL gets it, once; after an event: %j', async (isPaid) => {
		const workflow = trigger.workflow({ parameters: { options: { fallbackUrl } } });
		await workflow.listen();
		if (isPaid) expect(await trigger.pay()).toBe(503);
		else await workflow.endListen();
		await untilRegistered([withToken(workflow.testUrl), fallbackUrl]);
		// A second draft, whose end comes after whatever the first one could still do.
		const other = trigger.workflow();
		await other.listen();
		await other.endListen();
		await untilRegistered([
			withToken(workflow.testUrl),
			fallbackUrl,
			withToken(other.testUrl),
			fallbackUrl,
		]);
	});
});

describe('when another workflow of this n8n had the address', () => {
	async function publishedAndDraft() {
		const holder = trigger.workflow();
		await holder.publish();
		const draft = trigger.workflow({ parameters: { options: { fallbackUrl } } });
		const before = [withToken(holder.productionUrl), withToken(draft.testUrl)];
		return { holder, draft, before, after: [...before, withToken(holder.productionUrl)] };
	}

	test('that one gets the event, too, and then the address', async () => {
		const { holder, draft, after } = await publishedAndDraft();
		await draft.listen();
		expect(await trigger.pay()).toBe(200);
		expect(paymentIds(draft.outputs('manual'))).toEqual(paymentIds(holder.outputs()));
		await untilRegistered(after);
		expect(await trigger.pay()).toBe(200);
		expect([holder.outputs().length, draft.outputs('manual').length]).toEqual([2, 1]);
		expect(addresses(trigger)).toEqual(after);
	});

	test('of 20 events at once one is shown, and none is lost', async () => {
		const { holder, draft, after } = await publishedAndDraft();
		await draft.listen();
		const statuses = await Promise.all(Array.from({ length: 20 }, () => trigger.pay()));
		expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
		expect(draft.outputs('manual')).toHaveLength(1);
		expect(paymentIds(holder.outputs())).toEqual(
			trigger.service.state.payments.map(({ id }) => id).sort(),
		);
		await untilRegistered(after);
	});

	test('it gets the address after a cancel, too', async () => {
		const { draft, after } = await publishedAndDraft();
		await draft.listen();
		await draft.endListen();
		await untilRegistered(after);
	});

	test.each([{}, { verification: 'signature', signatureHeader: 'X-Webhook-Signature' }])(
		'it gets the address also after a restart, if it got an event since; with %j',
		async (parameters) => {
			const holder = trigger.workflow({ parameters });
			await holder.publish();
			trigger.n8n.restart();
			await trigger.service.forge('wrongSecret');
			expect(await trigger.pay()).toBe(200);
			const draft = trigger.workflow();
			await draft.listen();
			await draft.endListen();
			await waitFor(() => trigger.registrations.length === 3, { what: 'the give-back' });
			expect(trigger.registrations[2]).toEqual(trigger.registrations[0]);
		},
	);

	test('its own secret is registered with it', async () => {
		trigger.saveCredential('other', { webhookSecret: 'the secret of the other' });
		const { holder, draft } = await publishedAndDraft();
		draft.change({ credentialId: 'other' });
		await draft.listen();
		expect(await trigger.pay()).toBe(200);
		await waitFor(() => trigger.registrations.length === 3, { what: 'the give-back' });
		expect(trigger.registrations[2]).toEqual(trigger.registrations[0]);
		expect(await trigger.pay()).toBe(200);
		expect(holder.outputs().at(-1)).toMatchObject({
			verifiedBy: expect.stringMatching(/^signature/),
		});
	});

	test('an event that it rejects is answered 503, and shown', async () => {
		trigger.saveCredential('other', { webhookSecret: 'the secret of the other' });
		const { holder, draft } = await publishedAndDraft();
		expect(await trigger.pay()).toBe(200);
		draft.change({ credentialId: 'other' });
		await draft.listen();
		// The holder has learned that events are signed, and this one is signed with another secret.
		expect(await trigger.pay()).toBe(503);
		await untilShown(draft);
		expect(draft.outputs('manual')).toMatchObject([{ verified: true }]);
		expect(holder.outputs()).toHaveLength(1);
		await untilLogged('warn', /could not be passed on.*503 response/);
	});

	test('a second draft takes the address over, and the end of the first changes nothing', async () => {
		const { holder, draft, before } = await publishedAndDraft();
		const second = trigger.workflow();
		await draft.listen();
		await second.listen();
		await draft.endListen();
		expect(await trigger.pay()).toBe(200);
		expect([second.outputs('manual').length, holder.outputs().length]).toEqual([1, 1]);
		await untilRegistered([...before, withToken(second.testUrl), withToken(holder.productionUrl)]);
	});

	test('a workflow that is published meanwhile keeps the address', async () => {
		const { draft, before } = await publishedAndDraft();
		await draft.listen();
		const next = trigger.workflow();
		await next.publish();
		await draft.endListen();
		const another = trigger.workflow();
		await another.listen();
		await another.endListen();
		await untilRegistered([
			...before,
			withToken(next.productionUrl),
			withToken(another.testUrl),
			withToken(next.productionUrl),
		]);
	});

	test('a fallback URL that had it gets it back', async () => {
		const holder = trigger.workflow({ parameters: { options: { fallbackUrl } } });
		await holder.publish();
		await holder.unpublish();
		await untilRegistered([withToken(holder.productionUrl), fallbackUrl]);
		const draft = trigger.workflow();
		await draft.listen();
		expect(await trigger.pay()).toBe(503);
		await untilRegistered([
			withToken(holder.productionUrl),
			fallbackUrl,
			withToken(draft.testUrl),
			fallbackUrl,
		]);
	}, 20_000);
});

test('an event for a fallback URL is asked for again, so that it gets there after the test', async () => {
	const workflow = trigger.workflow({ parameters: { options: { fallbackUrl } } });
	await workflow.listen();
	expect(await trigger.pay()).toBe(503);
	await untilShown(workflow);
	expect(workflow.outputs('manual')).toMatchObject([{ verified: true }]);
	await untilRegistered([withToken(workflow.testUrl), fallbackUrl]);
});

describe('what another change must not undo', () => {
	const down = { endpoint: 'register', kind: 'serverError' } as const;
	const lost = { endpoint: 'register', kind: 'cutAfterStoring' } as const;

	test('a borrow whose answer is lost: the address is given back', async () => {
		const holder = trigger.workflow();
		await holder.publish();
		const draft = trigger.workflow();
		trigger.service.configure({ faults: [lost] });
		await expect(draft.listen()).rejects.toThrow('The webhook was not registered');
		trigger.service.configure({ faults: [] });
		await waitFor(
			() =>
				trigger.service.state.registration?.webhookUrl.startsWith(holder.productionUrl) === true,
			{ what: 'the address to be given back' },
		);
	});

	test('a publication that is in progress when the test ends: it keeps the address', async () => {
		const holder = trigger.workflow();
		await holder.publish();
		const draft = trigger.workflow();
		await draft.listen();
		const slow = { endpoint: 'register', kind: 'latency', milliseconds: 500 } as const;
		trigger.service.configure({ faults: [slow] });
		const next = trigger.workflow();
		const published = next.publish();
		await waitFor(() => trigger.registrations.length === 3, { what: 'the publication to begin' });
		await draft.endListen();
		await published;
		trigger.service.configure({ faults: [] });
		const another = trigger.workflow();
		await another.listen();
		await another.endListen();
		await untilRegistered([
			withToken(holder.productionUrl),
			withToken(draft.testUrl),
			withToken(next.productionUrl),
			withToken(another.testUrl),
			withToken(next.productionUrl),
		]);
	});

	test.each(['listen', 'publish'] as const)(
		'a give-back that a failing %s has stopped: it is taken up again',
		async (change) => {
			const holder = trigger.workflow();
			await holder.publish();
			const draft = trigger.workflow();
			await draft.listen();
			trigger.service.configure({ faults: [down] });
			await draft.endListen();
			await waitFor(() => trigger.registrations.length === 3, { what: 'the first try' });
			await expect(trigger.workflow()[change]()).rejects.toThrow('The webhook was not registered');
			trigger.service.configure({ faults: [] });
			await waitFor(
				() => trigger.service.state.registration?.webhookUrl.startsWith(holder.productionUrl),
				{ what: 'the address to be given back' },
			);
		},
		20_000,
	);

	test('a fallback URL that a failing test has stopped: it is registered all the same', async () => {
		const holder = trigger.workflow({ parameters: { options: { fallbackUrl } } });
		await holder.publish();
		await holder.unpublish();
		trigger.service.configure({ faults: [{ ...down, kind: 'wrongCode' }] });
		await expect(trigger.workflow().listen()).rejects.toThrow('The webhook was not registered');
		trigger.service.configure({ faults: [] });
		await waitFor(() => trigger.service.state.registration?.requestedUrl === fallbackUrl, {
			what: 'the fallback URL to be registered',
		});
	}, 20_000);
});

describe('giving back', () => {
	test('is tried again while the service is down, and said when it is in vain', async () => {
		const holder = trigger.workflow();
		await holder.publish();
		const draft = trigger.workflow();
		await draft.listen();
		trigger.service.configure({ faults: [{ endpoint: 'register', kind: 'serverError' }] });
		await draft.endListen();
		await untilLogged('error', /could not be given back.*unpublish and publish the workflow/);
		expect(trigger.registrations).toHaveLength(6);
	}, 20_000);

	test('gives way to a later publication, also between its tries', async () => {
		const holder = trigger.workflow();
		await holder.publish();
		const draft = trigger.workflow();
		await draft.listen();
		trigger.service.configure({ faults: [{ endpoint: 'register', kind: 'serverError' }] });
		await draft.endListen();
		await waitFor(() => trigger.registrations.length === 3, { what: 'the first try' });
		trigger.service.configure({ faults: [] });
		const next = trigger.workflow();
		await next.publish();
		await untilRegistered([
			withToken(holder.productionUrl),
			withToken(draft.testUrl),
			withToken(holder.productionUrl),
			withToken(next.productionUrl),
		]);
		expect(logged(trigger, 'error')).toEqual([]);
	});

	test('comes before a publication that is asked for while the service is slow', async () => {
		const holder = trigger.workflow();
		await holder.publish();
		const draft = trigger.workflow();
		await draft.listen();
		const slow = { endpoint: 'register', kind: 'latency', milliseconds: 500 } as const;
		trigger.service.configure({ faults: [slow] });
		await draft.endListen();
		await waitFor(() => trigger.registrations.length === 3, { what: 'the give-back' });
		const next = trigger.workflow();
		await next.publish();
		expect(trigger.service.state.registration?.webhookUrl).toContain(next.productionUrl);
	});
});

describe('when n8n cannot reach its own public URL', () => {
	/** What stands there instead. */
	const obstacles = [
		['nothing', undefined],
		['a page with 404', { status: 404, body: '<h1>Not found</h1>' }],
		['JSON with 404', { status: 404, body: '{"message":"Not found"}' }],
		['a page with 200', { status: 200, body: '<h1>Welcome</h1>' }],
		['a login', { status: 302, headers: { location: '/login' } }],
	] as const;

	test.each(obstacles)(
		'but %s: an event is shown and asked for again, and production gets it then',
		async (_, answer) => {
			const ingress = await startAnsweringServer(() => answer ?? {});
			if (answer === undefined) await ingress.stop();
			try {
				const reachable = trigger.n8n.productionUrl;
				trigger.n8n.productionUrl = ingress.baseUrl;
				const workflow = trigger.workflow();
				await workflow.publish();
				const [registered] = trigger.registrations;

				await workflow.listen();
				expect(logged(trigger, 'warn').join()).toMatch(/cannot reach its own public URL/);
				expect(await trigger.pay()).toBe(503);
				await untilShown(workflow);
				expect(workflow.outputs('manual')).toMatchObject([{ verified: true }]);
				await waitFor(() => trigger.registrations.length === 3, { what: 'the give-back' });
				expect(trigger.registrations[2]).toEqual(registered);

				// From outside, where the service is, the address leads to n8n.
				const { registration } = trigger.service.state;
				if (!registration) throw new Error('Nothing is registered.');
				registration.webhookUrl = registration.webhookUrl.replace(ingress.baseUrl, reachable);
				expect(await trigger.pay()).toBe(200);
				expect(workflow.outputs()).toHaveLength(1);
			} finally {
				if (answer !== undefined) await ingress.stop();
			}
		},
		20_000,
	);

	test('the address of production is registered although nobody knows whether it is published', async () => {
		const workflow = trigger.workflow({ parameters: { options: { fallbackUrl } } });
		await workflow.publish();
		trigger.n8n.restart();
		trigger.n8n.productionUrl = 'http://127.0.0.1:1';
		await workflow.listen();
		await workflow.endListen();
		await waitFor(() => trigger.registrations.length === 3, { what: 'the give-back' });
		expect(addresses(trigger)[2]).toBe(withToken(workflow.productionUrl));
		expect(trigger.registrations[2]?.secret).toBe(trigger.registrations[0]?.secret);
		await untilLogged('warn', /registered with the credential of the test/);
		expect(JSON.stringify(trigger.n8n.executions)).not.toContain('token=');
		// The address is this workflow's own again, so its fallback URL can take over.
		await workflow.unpublish();
		await waitFor(() => addresses(trigger)[3] === fallbackUrl, { what: 'the fallback URL' });
	}, 20_000);
});

test('a service that refuses the test address is quoted, and nothing has to be given back', async () => {
	const workflow = trigger.workflow();
	trigger.service.configure({
		faults: [{ endpoint: 'register', kind: 'wrongCode', message: 'Not today' }],
	});
	await expect(workflow.listen()).rejects.toThrow(/The webhook was not registered: .*Not today/);
	expect(trigger.registrations).toHaveLength(1);
});
