import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind, FaultRule } from '../../../sandbox';
import { waitFor } from '../../../scripts/shared/waitFor';
import { useTrigger, withToken } from './useTrigger';

/**
 * Who has a merchant's one address: what is wanted of it and what the service surely knows, through
 * publications, ends, restarts and failures. The model of the trigger asks that in any order; here is
 * what it does not see: times, the log, and how often the service is asked.
 */
const trigger = useTrigger();

const fallbackUrl = 'https://www.shop.example/events';
const minutes = 60_000;

/** The service does this with the next registrations. */
function meet(kind: FaultKind, more: Partial<FaultRule> = {}): void {
	trigger.service.configure({ faults: [{ endpoint: 'register', kind, ...more }] });
}

/** A publication that fails. */
async function failToPublish(options?: INodeParameters): Promise<void> {
	await expect(trigger.published(options)).rejects.toThrow();
}

test('of publications at once, the service learns one after the other', async () => {
	meet('latency', { milliseconds: 50 });
	const workflows = [trigger.workflow(), trigger.workflow(), trigger.workflow()];
	const published = Promise.all(workflows.map(async (workflow) => await workflow.publish()));
	const unanswered: number[] = [];
	const { requests } = trigger.service.state;
	const count = () => requests.filter(({ status }) => status === null).length;
	const timer = setInterval(() => unanswered.push(count()), 5);
	await published.finally(() => clearInterval(timer));
	expect(Math.max(...unanswered)).toBe(1);
	expect(trigger.addresses).toEqual(workflows.map(withToken));
});

describe('a publication that fails in doubt', () => {
	test('is made good when the service is back, also if it was away for long and the credential is gone', async () => {
		const first = await trigger.published();
		meet('cutAfterStoring', { times: 6 });
		await expect(trigger.published()).rejects.toThrow(/Try again later, or contact/);
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
		const endpoint = 'register';
		const page = { endpoint, kind: 'html', stored: true, times: 1 } as const;
		trigger.service.configure({ faults: [page, { endpoint, kind: 'wrongCode' }] });
		await failToPublish();
		await trigger.n8n.clock.until(() => trigger.logged('error').length > 0);
		await trigger.n8n.clock.pass(30 * minutes);
		const words = `${first.productionUrl} could not be registered.*Unpublish and publish`;
		expect(trigger.logged('error')).toEqual([expect.stringMatching(words)]);
		expect(trigger.registrations).toHaveLength(3);
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

	test('registers none that is due while somebody publishes', async () => {
		const first = await trigger.published({ fallbackUrl });
		await first.unpublish();
		meet('latency', { milliseconds: 100 });
		const second = trigger.workflow();
		const published = second.publish();
		await waitFor(() => trigger.registrations.length === 2, { what: 'the registration' });
		await trigger.n8n.clock.pass(6_000);
		await published;
		expect(trigger.addresses).toEqual([withToken(first), withToken(second)]);
	});

	test('registers none when n8n activates again and the service rejects that', async () => {
		const workflow = await trigger.published({ fallbackUrl });
		trigger.n8n.removeRows(workflow.id);
		meet('wrongCode', { times: 1 });
		await expect(workflow.publish({ activation: 'activate' })).rejects.toThrow();
		await trigger.n8n.clock.pass(minutes);
		expect(trigger.addresses).toEqual([withToken(workflow), withToken(workflow)]);
	});

	const useOther = () => trigger.saveCredential(trigger.otherMerchant);
	const isOther = /sends the events to http/;

	async function hearOfAnother() {
		await trigger.published();
		trigger.n8n.restart();
		expect(await trigger.pay()).toBe(200);
		// One that the service sent long ago, and sends again only now, changes nothing.
		expect((await trigger.post(trigger.url, '{"late":1}')).status).toBe(200);
	}

	test.each<[string, () => unknown, RegExp]>([
		['another was published', () => trigger.published(), isOther],
		['another has got an event since the restart', hearOfAnother, isOther],
		['the credential is of another', useOther, /because the credential has changed/],
	])('registers no fallback URL when %s', async (_, happens, words) => {
		const workflow = await trigger.published({ fallbackUrl });
		await happens();
		await workflow.unpublish();
		await trigger.n8n.clock.pass(minutes);
		expect(trigger.addresses).not.toContain(fallbackUrl);
		expect(trigger.logged('warn').at(-1)).toMatch(words);
	});

	test('registers it although an earlier address gets an event late, after a restart', async () => {
		await trigger.published();
		const workflow = await trigger.published({ fallbackUrl });
		trigger.n8n.restart();
		expect((await trigger.post(trigger.url, '{"late":1}')).status).toBe(200);
		await workflow.unpublish();
		await trigger.n8n.clock.until(() => trigger.target === fallbackUrl);
	});

	test('registers it although the address of another gets a forgery, after a restart', async () => {
		const workflow = await trigger.published({ fallbackUrl });
		const other = await trigger.published();
		trigger.n8n.restart();
		expect((await trigger.post(other.productionUrl, '{"forged":1}')).status).toBe(401);
		await workflow.unpublish();
		await trigger.n8n.clock.until(() => trigger.target === fallbackUrl);
	});

	test('registers none when a third workflow was rejected after a second was published', async () => {
		const workflow = await trigger.published({ fallbackUrl });
		const second = await trigger.published();
		meet('wrongCode', { times: 1 });
		await failToPublish();
		await second.unpublish();
		await workflow.unpublish();
		await trigger.n8n.clock.pass(minutes);
		expect(trigger.registrations).toHaveLength(3);
	});
});
