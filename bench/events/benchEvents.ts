import { startSandbox } from '../../sandbox';
import { type Bench, withBench } from '../shared/bench';
import { settledExecutions } from '../shared/executions';
import { untilIdle } from '../shared/idle';
import { goalTable, table } from '../shared/markdown';
import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { inRounds } from '../shared/rounds';
import { median, medianRatio, rounded } from '../shared/statistics';
import { type Contestant, publishContestants } from './contestants';
import { startGitHubApi } from './gitHubApi';
import { type Load, sendEvents } from './load';

interface Engine {
	name: string;
	environment: Record<string, string>;
	/** How near to n8n's own Webhook node the trigger should come. */
	ofWebhook: number;
}

const engines: Engine[] = [
	{ name: "n8n's default expression engine", environment: {}, ofWebhook: 0.6 },
	{
		name: 'lazy acquisition (N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true)',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		ofWebhook: 0.9,
	},
];

interface Turn extends Load {
	/** Processor time of n8n for one event, its execution included. */
	processorMilliseconds: number;
}

/** Sends events, and checks that exactly those that should start an execution did. */
async function turn(
	{ client, meter }: Bench,
	contestant: Contestant,
	events: number,
): Promise<Turn> {
	const before = await settledExecutions(client, contestant.workflowId);
	// What one leaves behind should not cost the next.
	await meter.liveHeapBytes();
	const startedAt = await untilIdle(() => meter.processorMilliseconds());
	const load = await sendEvents(contestant, events);
	const executions = (await settledExecutions(client, contestant.workflowId)) - before;
	const processorMilliseconds =
		((await untilIdle(() => meter.processorMilliseconds())) - startedAt) / events;
	const expected = contestant.startsExecutions ? events : 0;
	if (executions === expected) return { ...load, processorMilliseconds };
	throw new Error(
		`${contestant.name}: ${events} events should start ${expected} executions, but ${executions} succeeded.`,
	);
}

async function measure(
	bench: Bench,
	report: Report,
	{ rounds, events }: Options,
	ofWebhook: number,
): Promise<void> {
	const gitHubApi = await startGitHubApi();
	const tokenMerchant = await startSandbox({ merchantId: '2' });
	try {
		const { webhook, gitHub, signed, token, wrongSignature, noProof } = await publishContestants(
			bench,
			gitHubApi,
			tokenMerchant,
		);
		const contestants = [webhook, gitHub, signed, token, wrongSignature, noProof];
		// n8n compiles and caches much on the first events.
		for (const contestant of contestants) await turn(bench, contestant, events);
		const turns = await inRounds(contestants, rounds, (each) => turn(bench, each, events));

		const values = (contestant: Contestant, figure: keyof Turn) =>
			(turns.get(contestant) ?? []).map((each) => each[figure]);
		const ratio = (one: Contestant, other: Contestant) =>
			medianRatio(values(one, 'eventsPerSecond'), values(other, 'eventsPerSecond'));
		const results = table(
			['', 'events/s', 'p99 ms', 'CPU ms/event', 'of Webhook', 'of GitHub Trigger'],
			contestants.map((each) => [
				each.name,
				rounded(median(values(each, 'eventsPerSecond')), 1),
				rounded(median(values(each, 'p99'))),
				rounded(median(values(each, 'processorMilliseconds')), 1),
				rounded(ratio(each, webhook), 2),
				rounded(ratio(each, gitHub), 2),
			]),
		);
		const costOfForgery = Math.max(ratio(signed, wrongSignature), ratio(signed, noProof));
		const goals = goalTable([
			{ what: 'of GitHub Trigger, signed', measured: ratio(signed, gitHub), atLeast: 1 },
			{ what: 'of GitHub Trigger, URL token', measured: ratio(token, gitHub), atLeast: 1 },
			{ what: 'of Webhook, signed', measured: ratio(signed, webhook), atLeast: ofWebhook },
			{ what: 'of Webhook, URL token', measured: ratio(token, webhook), atLeast: ofWebhook },
			{
				what: 'time of a forged event, of an accepted one',
				measured: costOfForgery,
				atMost: 0.5,
			},
		]);
		await report.add(results, goals);
	} finally {
		await tokenMerchant.stop();
		await gitHubApi.stop();
	}
}

/** Events that start a workflow: the trigger against n8n's Webhook node and its GitHub Trigger. */
export async function benchEvents(options: Options, report: Report): Promise<void> {
	for (const { name, environment, ofWebhook } of engines) {
		await report.add(
			`### With ${name}`,
			`20 connections, 1 KB, ${options.rounds} rounds of ${options.events} events.`,
		);
		await withBench(environment, (bench) => measure(bench, report, options, ofWebhook));
	}
}
