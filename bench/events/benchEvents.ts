import autocannon from 'autocannon';
import { startSandbox } from '../../sandbox';
import { eventBody } from '../shared/events';
import { untilSettled } from '../shared/executions';
import { goalTable, inRounds, median, medianRatio, rounded, show, table } from '../shared/figures';
import type { Options } from '../shared/options';
import { processorTimeWhenIdle, type Rig, withRegularMode } from '../shared/rig';
import { paymentPageTrigger, type Receiver, webhookNode } from '../shared/triggers';

const setting = 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE';
const engines = [
	{ lazy: 'false', ofWebhook: 0.6 },
	{ lazy: 'true', ofWebhook: 0.9 },
];
const connections = 20;
const body = eventBody();

/** One way for an event to reach n8n. */
interface Contestant {
	receiver: Receiver;
	name: string;
	headers: Record<string, string>;
	expectedStatus: 200 | 401;
}

/** What one contestant did in one round. */
interface Turn {
	eventsPerSecond: number;
	p99: number; // milliseconds within which 99 of 100 events were answered
	processorMilliseconds: number; // processor time of n8n for one event, its execution included
}

/** Sends events over 20 connections, each of which waits for the answer before it sends the next. */
async function sendEvents(
	{ name, receiver, headers, expectedStatus }: Contestant,
	amount: number,
): Promise<Omit<Turn, 'processorMilliseconds'>> {
	const startedAt = performance.now();
	let answeredAt = startedAt;
	const result = await autocannon({
		url: receiver.url,
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body,
		connections,
		amount,
		timeout: 60,
		// autocannon itself looks once a second whether all is done.
		setupClient: (client) => client.on('response', () => (answeredAt = performance.now())),
	});
	if (result.statusCodeStats?.[`${expectedStatus}`]?.count !== amount) {
		const statuses = JSON.stringify(result.statusCodeStats);
		throw new Error(
			`${name}: not all of ${amount} events were answered ${expectedStatus}: ${statuses}, ${result.errors} failed.`,
		);
	}
	return { eventsPerSecond: (amount * 1000) / (answeredAt - startedAt), p99: result.latency.p99 };
}

/** Sends events, and checks that exactly those that should start an execution did. */
async function turn(rig: Rig, contestant: Contestant, events: number): Promise<Turn> {
	const { workflowId } = contestant.receiver;
	const succeeded = async () => {
		await untilSettled(rig.database, [workflowId]);
		const { success = 0, ...others } = Object.fromEntries(await rig.database.statuses(workflowId));
		if (Object.keys(others).length === 0) return success;
		throw new Error(`${contestant.name}: executions ended as ${JSON.stringify(others)}.`);
	};
	const before = await succeeded();
	const startedAt = await processorTimeWhenIdle(rig);
	const load = await sendEvents(contestant, events);
	const executions = (await succeeded()) - before;
	const expected = contestant.expectedStatus === 200 ? events : 0;
	if (executions !== expected) {
		throw new Error(`${contestant.name}: ${executions} executions instead of ${expected}.`);
	}
	const processorMilliseconds = ((await processorTimeWhenIdle(rig)) - startedAt) / events;
	return { ...load, processorMilliseconds };
}

async function measure(rig: Rig, { rounds, events }: Options, ofWebhook: number): Promise<void> {
	const genuine = (receiver: Receiver): Contestant => {
		return { receiver, name: receiver.name, headers: receiver.headers(body), expectedStatus: 200 };
	};
	const forged = (receiver: Receiver, how: string, headers = {}): Contestant => {
		return { receiver, name: `Payment Page Trigger, forged: ${how}`, headers, expectedStatus: 401 };
	};
	// After a signed event the trigger wants signatures, so the token is measured with another merchant.
	const tokenMerchant = await startSandbox({ merchantId: '2' });
	try {
		const ours = (await paymentPageTrigger(rig, rig.sandbox)).signed;
		const webhook = genuine(await webhookNode(rig));
		const signed = genuine(ours);
		const token = genuine((await paymentPageTrigger(rig, tokenMerchant)).byToken);
		const wrongSignature = forged(ours, 'wrong signature', ours.headers(body, 'not the secret'));
		const noProof = forged(ours, 'no proof');
		const contestants = [webhook, signed, token, wrongSignature, noProof];
		// n8n compiles and caches much on the first events.
		for (const contestant of contestants) await turn(rig, contestant, events);
		const turns = await inRounds(contestants, rounds, (each) => turn(rig, each, events));

		const values = (contestant: Contestant, figure: keyof Turn) =>
			(turns.get(contestant) ?? []).map((each) => each[figure]);
		const ratio = (one: Contestant, other: Contestant) =>
			medianRatio(values(one, 'eventsPerSecond'), values(other, 'eventsPerSecond'));
		const forgery = Math.max(ratio(signed, wrongSignature), ratio(signed, noProof));
		show(
			table(
				['', 'events/s', 'p99 ms', 'CPU ms/event', 'of Webhook'],
				contestants.map((each) => [
					each.name,
					rounded(median(values(each, 'eventsPerSecond')), 1),
					rounded(median(values(each, 'p99'))),
					rounded(median(values(each, 'processorMilliseconds')), 1),
					rounded(ratio(each, webhook), 2),
				]),
			),
			goalTable([
				{ what: 'of Webhook, signed', measured: ratio(signed, webhook), atLeast: ofWebhook },
				{ what: 'of Webhook, URL token', measured: ratio(token, webhook), atLeast: ofWebhook },
				{ what: 'time of a forged event, of an accepted one', measured: forgery, atMost: 0.5 },
			]),
		);
	} finally {
		await tokenMerchant.stop();
	}
}

/** Events that start a workflow: the trigger against n8n's own Webhook node. */
export async function benchEvents(options: Options): Promise<void> {
	const { rounds, events } = options;
	for (const { lazy, ofWebhook } of engines) {
		const how = `${connections} connections, 1 KB, ${rounds} rounds of ${events} events.`;
		show(`### With ${setting}=${lazy}`, how);
		await withRegularMode({ [setting]: lazy }, (rig) => measure(rig, options, ofWebhook));
	}
}
