import type { FaultKind, FaultRule } from '../../../sandbox';
import { waitFor } from '../../../scripts/shared/waitFor';
import { addresses, logged, withToken } from './addresses';
import { useTrigger } from './useTrigger';

/** What is wanted of a merchant's address, and what the service surely knows, through every failure. */
const trigger = useTrigger();

function fault(kind: FaultKind, more: Partial<FaultRule> = {}): FaultRule {
	return { endpoint: 'register', kind, ...more };
}

async function published(parameters = {}) {
	const workflow = trigger.workflow({ parameters });
	await workflow.publish();
	return workflow;
}

/** Where the service sends the events now, without the token. */
function serviceHas(): string | undefined {
	return trigger.service.state.registration?.webhookUrl.replace(/\/?(\?.*)?$/, '');
}

async function untilServiceHas(url: string): Promise<void> {
	await waitFor(() => serviceHas() === url, { what: `${url} to be registered` });
}

const fallbackUrl = 'https://www.shop.example/events';

describe('a publication that fails in doubt', () => {
	test.each<FaultKind>(['cutAfterStoring', 'html', 'emptyBody', 'serverError'])(
		'leaves the address to the workflow that had it: %s',
		async (kind) => {
			const first = await published();
			const second = trigger.workflow();
			const stored = kind === 'serverError' ? {} : { stored: true };
			trigger.service.configure({ faults: [fault(kind, { ...stored, times: 2 })] });
			await expect(second.publish({ tries: 1 })).rejects.toThrow();
			await untilServiceHas(first.productionUrl);
			expect(await trigger.pay()).toBe(200);
			expect([first.outputs().length, second.outputs().length]).toEqual([1, 0]);
		},
	);

	test('is tried until the service is back, also if it was away for long and the credential is gone', async () => {
		const first = await published();
		const second = trigger.workflow();
		trigger.service.configure({ faults: [fault('cutAfterStoring', { times: 6 })] });
		await expect(second.publish({ tries: 1 })).rejects.toThrow();
		trigger.n8n.credentials.clear();
		expect(serviceHas()).toBe(second.productionUrl);
		await waitFor(() => trigger.registrations.length === 8, { what: 'the last try' });
		await untilServiceHas(first.productionUrl);
		expect(logged(trigger, 'error').filter((line) => line.includes(first.productionUrl))).toEqual([
			expect.stringMatching(/could not be registered.*n8n keeps trying/),
		]);
	}, 60_000);

	test('ends with a rejection, and one line in the log', async () => {
		const first = await published();
		const second = trigger.workflow();
		trigger.service.configure({
			faults: [fault('cutAfterStoring', { times: 1 }), fault('wrongCode', { times: 9 })],
		});
		await expect(second.publish({ tries: 1 })).rejects.toThrow();
		await waitFor(() => logged(trigger, 'error').length > 0, { what: 'the line' });
		expect(logged(trigger, 'error')).toEqual([
			expect.stringMatching(
				`${first.productionUrl} could not be registered.*Unpublish and publish`,
			),
		]);
		expect(trigger.registrations).toHaveLength(3);
	});
});

test('a workflow that was unpublished is registered by nobody, whatever fails later', async () => {
	const first = await published();
	trigger.n8n.readsCredentials = false;
	await first.unpublish();
	trigger.n8n.readsCredentials = true;
	const second = trigger.workflow();
	trigger.service.configure({ faults: [fault('cutAfterStoring', { times: 1 })] });
	await expect(second.publish()).rejects.toThrow();
	const third = await published();
	expect(addresses(trigger)).toEqual(
		[first, second, third].map(({ productionUrl }) => withToken(productionUrl)),
	);
});

describe('a fallback URL', () => {
	test('is not registered at a merchant that was never this one', async () => {
		const workflow = await published({ options: { fallbackUrl } });
		const baseUrl = trigger.service.baseUrl.replace('127.0.0.1', 'localhost');
		trigger.saveCredential('api key', { baseUrl });
		await workflow.unpublish();
		expect(logged(trigger, 'warn').at(-1)).toMatch(
			/was not registered, because the credential has changed/,
		);
		// That of another workflow, some seconds later, tells when the time is over.
		const other = await published({ options: { fallbackUrl: `${fallbackUrl}/2` } });
		await other.unpublish();
		await untilServiceHas(`${fallbackUrl}/2`);
		expect(addresses(trigger)).not.toContain(fallbackUrl);
	}, 20_000);

	test('is not registered after a restart, when another workflow is known to have the address', async () => {
		const first = await published({ options: { fallbackUrl } });
		const second = await published();
		trigger.n8n.restart();
		expect(await trigger.pay()).toBe(200);
		expect(second.outputs()).toHaveLength(1);
		await first.unpublish();
		const infos = trigger.log.map(({ message }) => message);
		expect(infos.at(-1)).toContain(`sends the events to ${second.productionUrl}`);
		expect(trigger.registrations).toHaveLength(2);
	});

	test('is not registered when a publication fails, at any of its tries', async () => {
		trigger.service.configure({ faults: [fault('wrongCode', { times: 2 })] });
		const workflow = trigger.workflow({ parameters: { options: { fallbackUrl } } });
		await expect(workflow.publish({ tries: 2 })).rejects.toThrow();
		const other = await published({ options: { fallbackUrl: `${fallbackUrl}/2` } });
		await other.unpublish();
		await untilServiceHas(`${fallbackUrl}/2`);
		expect(addresses(trigger)).not.toContain(fallbackUrl);
	}, 20_000);

	test('takes over when an edit cannot be published', async () => {
		const workflow = await published({ options: { fallbackUrl } });
		trigger.service.configure({ faults: [fault('wrongCode', { times: 2 })] });
		workflow.change({ parameters: { options: { fallbackUrl, acceptUnverified: true } } });
		await expect(workflow.publish({ tries: 2 })).rejects.toThrow();
		await untilServiceHas(fallbackUrl);
	}, 20_000);
});

describe("n8n's own failures get 503, and the event is taken when it comes again", () => {
	test.each([0, 2])(
		'the credential cannot be read; processes beside main: %d',
		async (receivers) => {
			const workflow = await published();
			trigger.n8n.restart({ receivers });
			trigger.n8n.readsCredentials = false;
			expect(await trigger.pay()).toBe(503);
			expect((await trigger.post(workflow.productionUrl, '{"forged":true}')).status).toBe(503);
			trigger.n8n.readsCredentials = true;
			const id = trigger.service.state.deliveries[0]?.id ?? '';
			expect((await trigger.service.resend(id)).tries).toMatchObject([{ status: 200 }]);
			expect(workflow.outputs()).toMatchObject([{ verified: true }]);
			expect(logged(trigger, 'warn').join()).toMatch(
				/could not read the settings or the credential/,
			);
		},
	);

	test('the settings cannot be read, also where unverified events are accepted', async () => {
		const workflow = await published({ options: { acceptUnverified: true } });
		const version = trigger.n8n.published.get(workflow.id);
		if (!version) throw new Error('Nothing is published');
		const { parameters } = version;
		version.parameters = { options: { acceptUnverified: '={{ true }}' } };
		expect(await trigger.pay()).toBe(503);
		version.parameters = parameters;
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs()).toHaveLength(1);
	});

	test('a setting that no event could read is rejected when publishing', async () => {
		const options = { acceptUnverified: '={{ true }}' };
		await expect(published({ options })).rejects.toThrow(/'Accept Unverified Events' must be true/);
		expect(trigger.registrations).toEqual([]);
	});
});

describe('static data that n8n writes late', () => {
	const first = 'the first of the secrets';
	const second = 'the second of the secrets';

	test.each([
		['in the same process', () => undefined],
		['after a restart', () => trigger.n8n.restart()],
	])('brings no revoked secret back: %s', async (_, change) => {
		trigger.saveCredential('api key', { webhookSecret: first });
		const workflow = await published();
		const end = trigger.n8n.beginLongExecution(workflow.id);
		trigger.saveCredential('api key', { webhookSecret: second });
		await workflow.unpublish();
		await workflow.publish();
		end();
		change();
		const { registration } = trigger.service.state;
		if (!registration) throw new Error('Nothing is registered');
		registration.secret = first;
		registration.webhookUrl = trigger.registrations[0]?.webhookUrl ?? '';
		for (let count = 0; count < 2; count++) expect([401, 503]).toContain(await trigger.pay());
		registration.secret = second;
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs()).toHaveLength(1);
	});

	test('does not undo what was learned, and a restart after the next event neither', async () => {
		const workflow = await published();
		const end = trigger.n8n.beginLongExecution(workflow.id);
		expect(await trigger.pay()).toBe(200);
		end();
		const { webhookUrl = '' } = trigger.registrations[0] ?? {};
		expect((await trigger.post(webhookUrl, '{}')).status).toBe(401);
		expect(await trigger.pay()).toBe(200);
		trigger.n8n.restart();
		expect((await trigger.post(webhookUrl, '{}')).status).toBe(401);
	});

	test('does not bring back a registration that was ended', async () => {
		const workflow = await published();
		const end = trigger.n8n.beginLongExecution(workflow.id);
		await workflow.unpublish();
		end();
		await workflow.publish({ activation: 'init' });
		expect(trigger.registrations).toHaveLength(2);
	});
});

describe('what was learned', () => {
	async function isTokenEnough(): Promise<boolean> {
		const url = trigger.registrations.at(-1)?.webhookUrl ?? '';
		return (await trigger.post(url, '{"n":1}')).status === 200;
	}

	test('survives every edit, and a change of the credential at the same merchant', async () => {
		const workflow = await published();
		expect(await trigger.pay()).toBe(200);
		workflow.change({ parameters: { options: { toleranceSeconds: 60 } } });
		await workflow.publish();
		expect(await isTokenEnough()).toBe(false);
		trigger.saveCredential('other', { webhookSecret: 'another secret' });
		workflow.change({ credentialId: 'other' });
		await workflow.publish();
		expect(await isTokenEnough()).toBe(false);
		expect(await trigger.pay()).toBe(200);
	});

	test('starts again for another merchant, a renamed node, and whoever unpublishes', async () => {
		const workflow = await published();
		expect(await trigger.pay()).toBe(200);
		const baseUrl = trigger.service.baseUrl.replace('127.0.0.1', 'localhost');
		trigger.saveCredential('other', { baseUrl });
		workflow.change({ credentialId: 'other' });
		await workflow.publish();
		expect(await isTokenEnough()).toBe(true);
		expect(await trigger.pay()).toBe(200);
		expect(await isTokenEnough()).toBe(false);
		workflow.change({ name: 'Payments' });
		await workflow.publish();
		expect(await isTokenEnough()).toBe(true);
		expect(await trigger.pay()).toBe(200);
		expect(await isTokenEnough()).toBe(false);
		await workflow.unpublish();
		await workflow.publish();
		expect(await isTokenEnough()).toBe(true);
	});

	test('gives way to a weaker proof that is required, and the log calls it a step down', async () => {
		const workflow = await published();
		expect(await trigger.pay()).toBe(200);
		workflow.change({ parameters: { options: { requiredProof: ' URL  token ' } } });
		await workflow.publish();
		expect(await isTokenEnough()).toBe(true);
		expect(logged(trigger, 'warn').at(-1)).toMatch(/earlier events had a stronger proof/);
		workflow.change({ parameters: {} });
		await workflow.publish();
		expect(await isTokenEnough()).toBe(false);
	});
});

describe('the time in a signature', () => {
	const minutes = 60_000;

	afterEach(() => {
		jest.restoreAllMocks();
	});

	test.each([
		['sent again ten minutes later', 10 * minutes, 200],
		['sent again six days later', 6 * 24 * 60 * minutes, 200],
		["while n8n's clock is six minutes slow", -6 * minutes, 200],
		['sent again eight days later', 8 * 24 * 60 * minutes, 401],
	])('%s', async (_, later, status) => {
		trigger.service.configure({ signing: { signedContent: 'timestampDotBody' } });
		const workflow = await published();
		const seen: Array<Record<string, string>> = [];
		trigger.n8n.beforeWebhook = ({ req }) => {
			seen.push(req.headers as Record<string, string>);
		};
		expect(await trigger.pay()).toBe(200);
		const { 'x-webhook-signature': signature = '', 'x-webhook-timestamp': time = '' } =
			seen[0] ?? {};
		const headers = { 'x-webhook-signature': signature, 'x-webhook-timestamp': time };
		const { webhookUrl = '' } = trigger.registrations[0] ?? {};
		const [delivery] = trigger.service.state.deliveries;
		const { now } = Date;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
		const answer = await trigger.post(webhookUrl, delivery?.body ?? '', headers);
		expect(answer.status).toBe(status);
		expect(workflow.outputs()).toHaveLength(status === 200 ? 2 : 1);
		if (status === 200) return;
		// The log says so, and the answer to a sender with the right token.
		expect(logged(trigger, 'warn').at(-1)).toMatch(/signature is right, but its time is too far/);
		expect(answer.text).toMatch(/its time is too far/);
		expect(await trigger.post(workflow.productionUrl, delivery?.body ?? '', headers)).toMatchObject(
			{ status: 401, text: '{"message":"The event could not be verified."}' },
		);
	});
});

test('nothing in an output can be sent again as an event', async () => {
	const workflow = await published();
	const seen: Array<Record<string, string>> = [];
	trigger.n8n.beforeWebhook = ({ req }) => {
		seen.push(req.headers as Record<string, string>);
	};
	expect(await trigger.pay()).toBe(200);
	const signature = seen[0]?.['x-webhook-signature'] ?? '';
	const [delivery] = trigger.service.state.deliveries;
	const { secret, webhookUrl } = trigger.registrations[0] ?? { secret: '', webhookUrl: '' };
	const headers = {
		'x-webhook-signature': signature,
		'x-second-signature': `t=1,v1=${signature}`,
		'x-long': `${'a,'.repeat(2_000)}${secret}`,
		'x-original-uri': webhookUrl.toUpperCase(),
		'x-harmless': 'yes',
	};
	expect((await trigger.post(webhookUrl, delivery?.body ?? '', headers)).status).toBe(200);
	const shown = workflow.outputs().at(-1)?.['headers'] as Record<string, string>;
	expect(shown).toMatchObject({ 'x-harmless': 'yes' });
	const again = await trigger.post(workflow.productionUrl, delivery?.body ?? '', shown);
	expect(again.status).toBe(401);
	expect(JSON.stringify(trigger.n8n.executions)).not.toContain(secret);
});

test('adding lost addresses again registers nothing, and a service that is down takes nothing away', async () => {
	const workflow = await published();
	expect(await trigger.pay()).toBe(200);
	trigger.n8n.removeRows(workflow.id);
	trigger.service.configure({ faults: [fault('wrongCode')] });
	await workflow.publish({ activation: 'update' });
	trigger.service.configure({ faults: [] });
	expect(trigger.registrations).toHaveLength(1);
	expect(await trigger.pay()).toBe(200);
	expect((await trigger.post(trigger.registrations[0]?.webhookUrl ?? '', '{}')).status).toBe(401);
});

test('a delivery whose sender is gone holds up no other, and is stored', async () => {
	const workflow = await published();
	const { webhookUrl = '' } = trigger.registrations[0] ?? {};
	const controller = new AbortController();
	trigger.n8n.beforeWebhook = async (response) => {
		trigger.n8n.beforeWebhook = () => undefined;
		controller.abort();
		await waitFor(() => response.closed, { what: 'the end', intervalMilliseconds: 10 });
	};
	const { signal } = controller;
	await expect(fetch(webhookUrl, { method: 'POST', body: '{"n":1}', signal })).rejects.toThrow();
	expect((await trigger.post(webhookUrl, '{"n":1}')).status).toBe(200);
	await waitFor(() => workflow.outputs().length === 2, { what: 'both' });
});

describe('an address that nobody else can reach', () => {
	const own = ['localhost', 'n8n.localhost', '127.0.0.1', '[::1]', '0.0.0.0'];

	test.each(own)('is not registered at a public service: %s', async (host) => {
		trigger.saveCredential('api key', { baseUrl: 'http://service.example/api' });
		trigger.n8n.productionUrl = `http://${host}:5678`;
		await expect(published()).rejects.toThrow(
			`A service on the Internet cannot send events to http://${host}:5678/`,
		);
		expect(trigger.registrations).toEqual([]);
	});

	test('is registered with a warning at a service on this machine or network', async () => {
		const workflow = await published();
		expect(addresses(trigger)).toEqual([withToken(workflow.productionUrl)]);
		expect(logged(trigger, 'warn').join()).toMatch(
			/cannot send events to.*not public.*WEBHOOK_URL/,
		);
	});
});
