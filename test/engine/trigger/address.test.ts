import type { FaultKind, FaultRule } from '../../../sandbox';
import { useTrigger, withToken } from './useTrigger';

/**
 * Who has a merchant's one address: what is wanted of it and what the service surely knows, through
 * publications, ends, restarts and failures.
 */
const trigger = useTrigger();

const fallbackUrl = 'https://www.shop.example/events';
const minutes = 60_000;

/** The service does this with the next registrations. */
function meet(kind: FaultKind, more: Partial<FaultRule> = {}): void {
	trigger.service.configure({ faults: [{ endpoint: 'register', kind, ...more }] });
}

test('of publications at once, the service learns one after the other', async () => {
	meet('latency', { milliseconds: 50 });
	const workflows = [trigger.workflow(), trigger.workflow(), trigger.workflow()];
	const published = Promise.all(workflows.map(async (workflow) => await workflow.publish()));
	const unanswered: number[] = [];
	const { requests } = trigger.service.state;
	const timer = setInterval(() => {
		unanswered.push(requests.filter(({ status }) => status === null).length);
	}, 5);
	await published.finally(() => clearInterval(timer));
	expect(Math.max(...unanswered)).toBe(1);
	expect(trigger.addresses).toEqual(workflows.map(withToken));
	expect(trigger.target).toBe(workflows.at(-1)?.productionUrl);
});

describe('a publication that fails in doubt', () => {
	test.each<FaultKind>(['cutAfterStoring', 'html', 'emptyBody', 'serverError'])(
		'leaves the address to the workflow that had it: %s',
		async (kind) => {
			const first = await trigger.published();
			const second = trigger.workflow();
			meet(kind, { times: 2, ...(kind === 'serverError' ? {} : { stored: true }) });
			await expect(second.publish()).rejects.toThrow();
			await trigger.n8n.clock.until(() => trigger.target === first.productionUrl);
			expect(await trigger.pay()).toBe(200);
			expect([first.outputs().length, second.outputs().length]).toEqual([1, 0]);
		},
	);

	test('is made good when the service is back, also if it was away for long and the credential is gone', async () => {
		const first = await trigger.published();
		const second = trigger.workflow();
		meet('cutAfterStoring', { times: 6 });
		await expect(second.publish()).rejects.toThrow();
		trigger.n8n.credentials.clear();
		await trigger.n8n.clock.until(() => trigger.registrations.length === 8);
		expect(trigger.target).toBe(first.productionUrl);
		expect(trigger.logged('error').filter((line) => line.includes(first.productionUrl))).toEqual([
			expect.stringMatching(/could not be registered.*n8n keeps trying/),
		]);
		await trigger.n8n.clock.pass(30 * minutes);
		expect(trigger.registrations).toHaveLength(8);
	});

	test('is given up after a rejection, with one line in the log', async () => {
		const first = await trigger.published();
		const faults = [
			{ endpoint: 'register', kind: 'cutAfterStoring', times: 1 } as const,
			{ endpoint: 'register', kind: 'wrongCode', times: 9 } as const,
		];
		trigger.service.configure({ faults });
		await expect(trigger.published()).rejects.toThrow();
		await trigger.n8n.clock.until(() => trigger.logged('error').length > 0);
		await trigger.n8n.clock.pass(30 * minutes);
		expect(trigger.logged('error')).toEqual([
			expect.stringMatching(
				`${first.productionUrl} could not be registered.*Unpublish and publish`,
			),
		]);
		expect(trigger.registrations).toHaveLength(3);
	});

	test('brings back no workflow that was unpublished', async () => {
		const first = await trigger.published();
		trigger.n8n.readsCredentials = false;
		await first.unpublish();
		trigger.n8n.readsCredentials = true;
		const second = trigger.workflow();
		await expect(second.listen()).rejects.toThrow();
		await second.endListen();
		meet('cutAfterStoring', { times: 1 });
		await expect(second.publish()).rejects.toThrow();
		const third = await trigger.published();
		await trigger.n8n.clock.pass(30 * minutes);
		expect(trigger.addresses).toEqual([first, second, third].map(withToken));
	});
});

describe('unpublishing', () => {
	test('registers the fallback URL with the same secret some seconds later, and nothing else', async () => {
		const workflow = await trigger.published({ fallbackUrl: ` ${fallbackUrl} ` });
		await workflow.unpublish();
		await trigger.n8n.clock.pass(4_000);
		expect(trigger.registrations).toHaveLength(1);
		await trigger.n8n.clock.pass(2_000);
		expect(trigger.addresses).toEqual([withToken(workflow), fallbackUrl]);
		const [first, second] = trigger.registrations;
		expect(second?.secret).toBe(first?.secret);
	});

	test('never throws: while the credential is gone, and while the service is down', async () => {
		const workflow = await trigger.published({ fallbackUrl });
		trigger.n8n.credentials.clear();
		await workflow.unpublish();
		trigger.saveCredential();
		await workflow.publish();
		meet('cutBeforeStoring');
		await workflow.unpublish();
		await trigger.n8n.clock.pass(minutes);
		expect(trigger.n8n.hookFailures).toEqual([]);
		expect(trigger.target).toBe(workflow.productionUrl);
		expect((await trigger.post(workflow.productionUrl, '{}')).status).toBe(404);
		trigger.service.configure({ faults: [] });
		await trigger.n8n.clock.until(() => trigger.target === fallbackUrl);
	});

	test.each<[string, () => Promise<unknown>, RegExp]>([
		['another workflow was published', () => trigger.published(), /sends the events to http/],
		[
			'another is known to have the address since the restart',
			async () => {
				await trigger.published();
				trigger.n8n.restart();
				expect(await trigger.pay()).toBe(200);
				// One that the service sent long ago, and sends again only now, changes nothing.
				expect((await trigger.post(trigger.url, '{"late":1}')).status).toBe(200);
			},
			/sends the events to http/,
		],
		[
			'the credential is of another merchant now',
			// The same service under another name.
			async () =>
				trigger.saveCredential({
					baseUrl: trigger.service.baseUrl.replace('127.0.0.1', 'localhost'),
				}),
			/because the credential has changed/,
		],
	])('registers no fallback URL when %s', async (_, happens, words) => {
		const workflow = await trigger.published({ fallbackUrl });
		await happens();
		await workflow.unpublish();
		await trigger.n8n.clock.pass(minutes);
		expect(trigger.addresses).not.toContain(fallbackUrl);
		expect(trigger.logged('warn').at(-1)).toMatch(words);
	});
});

describe('a fallback URL', () => {
	test('is not registered while an edit, or an end and a new publication, take some seconds', async () => {
		const workflow = await trigger.published({ fallbackUrl });
		workflow.change({ options: { fallbackUrl, acceptUnverified: true } });
		await workflow.publish();
		await workflow.unpublish();
		await trigger.n8n.clock.pass(4_000);
		await workflow.publish();
		await trigger.n8n.clock.pass(minutes);
		expect(trigger.addresses).toEqual([workflow, workflow, workflow].map(withToken));
	});

	test('takes over also when n8n did not keep what was registered', async () => {
		const workflow = trigger.workflow({ fallbackUrl });
		const end = trigger.n8n.beginLongExecution(workflow.id);
		await workflow.publish();
		end();
		await workflow.unpublish();
		await trigger.n8n.clock.pass(minutes);
		expect(trigger.target).toBe(fallbackUrl);
	});
});
