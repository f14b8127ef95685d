import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { waitFor } from '../../../scripts/shared/waitFor';
import { send } from '../../e2e/support/request';
import { startAnsweringServer } from '../answeringServer';
import { addresses, logged, withToken } from './addresses';
import { useTrigger } from './useTrigger';

const trigger = useTrigger();

const pinned = {
	options: { requiredProof: 'signature header:x-webhook-signature sha256 hex body' },
};

function fallback(name: string) {
	return { options: { fallbackUrl: `https://www.shop.example/${name}` } };
}

async function untilRegistered(expected: string[]): Promise<void> {
	await waitFor(() => addresses(trigger).length >= expected.length, { what: 'the registrations' });
	expect(addresses(trigger)).toEqual(expected);
}

/** A fallback URL is registered some seconds later; by the time of the last, all others have been. */
const longEnough = 20_000;

test(
	'a changed trigger is published without its fallback URL in between',
	async () => {
		const workflow = trigger.workflow({ parameters: fallback('first') });
		await workflow.publish();
		workflow.change({ parameters: fallback('second') });
		await workflow.publish();
		workflow.change({ parameters: fallback('third') });
		await workflow.publish();
		await workflow.unpublish();
		const url = withToken(workflow.productionUrl);
		await untilRegistered([url, url, url, 'https://www.shop.example/third']);
	},
	longEnough,
);

test(
	'unpublishing a workflow takes nothing from one that was published later',
	async () => {
		const first = trigger.workflow({ parameters: fallback('first') });
		const second = trigger.workflow();
		await first.publish();
		await second.publish();
		await first.unpublish();
		// The same service under another name, and so another merchant, tells when the time is over.
		const baseUrl = trigger.service.baseUrl.replace('127.0.0.1', 'localhost');
		trigger.saveCredential('clock', { baseUrl });
		const clock = trigger.workflow({ credentialId: 'clock', parameters: fallback('clock') });
		await clock.publish();
		await clock.unpublish();
		await untilRegistered([
			withToken(first.productionUrl),
			withToken(second.productionUrl),
			withToken(clock.productionUrl),
			'https://www.shop.example/clock',
		]);
	},
	longEnough,
);

test(
	'a workflow that is unpublished and published again at once keeps the address',
	async () => {
		const workflow = trigger.workflow({ parameters: fallback('first') });
		await workflow.publish();
		await workflow.unpublish();
		// n8n takes some time between the two, and more on a busy machine.
		for (let count = 0; count < 10; count++) await trigger.post(workflow.productionUrl, '{}');
		await workflow.publish();
		const other = trigger.workflow({ parameters: fallback('other') });
		await other.publish();
		await other.unpublish();
		const url = withToken(workflow.productionUrl);
		await untilRegistered([
			url,
			url,
			withToken(other.productionUrl),
			'https://www.shop.example/other',
		]);
	},
	longEnough,
);

test('of two publications at once, the service learns one after the other', async () => {
	const slow = { endpoint: 'register', kind: 'latency', milliseconds: 200 } as const;
	trigger.service.configure({ faults: [slow] });
	const workflows = [trigger.workflow(), trigger.workflow(), trigger.workflow()];
	const published = Promise.all(workflows.map((workflow) => workflow.publish()));
	await waitFor(() => trigger.registrations.length > 0, { what: 'the first registration' });
	const unanswered = () => trigger.service.state.requests.filter(({ status }) => status === null);
	expect(unanswered().length).toBeLessThan(2);
	await published;
	expect(addresses(trigger)).toEqual(workflows.map((one) => withToken(one.productionUrl)));
	const last = workflows.at(-1)?.productionUrl;
	expect(trigger.service.state.registration?.webhookUrl).toContain(last);
});

describe('a service that looks at the address while it is being registered', () => {
	test('gets 200', async () => {
		const seen: Array<[method: string, status: number | undefined]> = [];
		const service = createServer((request, response) => {
			void (async () => {
				const registration = JSON.parse((await buffer(request)).toString()) as {
					webhookUrl: string;
				};
				for (const method of ['GET', 'HEAD', 'POST']) {
					seen.push([method, (await send(registration.webhookUrl, { method })).status]);
				}
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ responseCode: '00', data: registration }));
			})();
		});
		await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
		try {
			const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
			trigger.saveCredential('api key', { baseUrl });
			await trigger.workflow().publish();
			expect(seen).toEqual([
				['GET', 200],
				['HEAD', 200],
				['POST', 200],
			]);
		} finally {
			await new Promise((resolve) => service.close(resolve));
		}
	});
});

describe('a required signature', () => {
	test('needs no token: the address is registered without a query', async () => {
		const workflow = trigger.workflow({ parameters: pinned });
		await workflow.publish();
		expect(addresses(trigger)).toEqual([workflow.productionUrl]);
		trigger.n8n.restart();
		expect(await trigger.pay()).toBe(200);
		expect((await trigger.post(workflow.productionUrl, '{}')).status).toBe(401);
		expect(workflow.outputs()).toHaveLength(1);
	});

	test('is shared with a test, too', async () => {
		const workflow = trigger.workflow({ parameters: pinned });
		await workflow.publish();
		await workflow.listen();
		expect(await trigger.pay()).toBe(200);
		await waitFor(() => workflow.outputs('manual').length === 1, { what: 'the test' });
		expect(addresses(trigger)).toEqual([workflow.productionUrl]);
	});

	test('works at a service that rejects a "?"', async () => {
		const service = await startAnsweringServer(({ body }) => {
			const isRefused = body.includes('?');
			return { body: JSON.stringify({ responseCode: isRefused ? '14' : '00', data: {} }) };
		});
		try {
			trigger.saveCredential('api key', { baseUrl: service.baseUrl });
			const workflow = trigger.workflow();
			await expect(workflow.publish()).rejects.toThrow(/code "14"/);
			workflow.change({ parameters: pinned });
			await workflow.publish();
			expect(service.requests.at(-1)?.body).toContain(`"webhookUrl":"${workflow.productionUrl}"`);
		} finally {
			await service.stop();
		}
	});
});

test.each([
	['drops what follows the "?"', (url: string) => url.split('?')[0], true],
	['adds a slash', (url: string) => `${url}/`, false],
	['echoes nothing', () => undefined, false],
])('a service that %s: the log says when the token was lost', async (_, echo, isLost) => {
	const service = await startAnsweringServer(({ body }) => {
		const { webhookUrl } = JSON.parse(body) as { webhookUrl: string };
		return { body: JSON.stringify({ responseCode: '00', data: { webhookUrl: echo(webhookUrl) } }) };
	});
	try {
		trigger.saveCredential('api key', { baseUrl: service.baseUrl });
		await trigger.workflow().publish();
		const lines = logged(trigger, 'warn').filter((line) => /without the token/.test(line));
		expect(lines).toHaveLength(isLost ? 1 : 0);
	} finally {
		await service.stop();
	}
});
