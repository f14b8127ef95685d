import { startGitHubApi } from '../events/gitHubApi';
import { untilIdle } from '../shared/idle';
import { goalTable, table } from '../shared/markdown';
import type { Report } from '../shared/report';
import { inRounds } from '../shared/rounds';
import { median, medianRatio, rounded } from '../shared/statistics';
import { faultsOf } from './account';
import type { Bed } from './beds';
import { untilSettled } from './database';
import { floodEvents } from './floodEvents';
import { processorMilliseconds } from './processorTime';
import { type Sent, sendFlood } from './sendFlood';
import { publishTargets, type Target } from './targets';

/** Each target gets its events in so many parts, in turn with the others: what drifts meets all alike. */
const turns = 10;

/** Events before the first turn, since n8n compiles and caches much on them. */
const toWarmUp = 40;

interface Turn {
	/** Events that were answered, forged ones included. */
	eventsPerSecond: number;
	/** Genuine events, until the last execution has ended. */
	executedPerSecond: number;
	/** How long genuine events waited for their answer, in milliseconds. */
	p50: number;
	p99: number;
	/** How long a forged event waited; NaN where there are none. */
	forgedP50: number;
	/** Processor time of n8n for one event, its execution included. */
	processorMilliseconds: number;
}

function percentile(sent: readonly Sent[], percent: number): number {
	const sorted = sent.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
	return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? NaN;
}

/** Sends the next events of each target, and remembers what became of them. */
class Flood {
	private readonly sent = new Map<Target, Sent[]>();

	constructor(
		private readonly bed: Bed,
		private readonly targets: readonly Target[],
	) {}

	private sentTo(target: Target): Sent[] {
		return this.sent.get(target) ?? [];
	}

	readonly turn = async (target: Target, count: number): Promise<Turn> => {
		const groups = this.bed.processes.map((each) => each.processGroup());
		const before = this.sentTo(target);
		const events = floodEvents(before.length, count, target.verifies);
		const processorTime = () => processorMilliseconds(groups);
		const processorBefore = await untilIdle(processorTime);
		const startedAt = performance.now();
		const sent = await sendFlood(target, events);
		const answered = performance.now() - startedAt;
		this.sent.set(target, [...before, ...sent]);
		await untilSettled(this.bed.database, target.workflowId);
		const settled = performance.now() - startedAt;
		const genuine = sent.filter(({ event }) => event.forgery === undefined);
		const forged = sent.filter(({ event }) => event.forgery !== undefined);
		return {
			eventsPerSecond: (count * 1000) / answered,
			executedPerSecond: (genuine.length * 1000) / settled,
			p50: percentile(genuine, 50),
			p99: percentile(genuine, 99),
			forgedP50: percentile(forged, 50),
			processorMilliseconds: ((await untilIdle(processorTime)) - processorBefore) / count,
		};
	};

	/**
	 * Fails unless each event started exactly what it should have.
	 *
	 * @returns what each target got, a line each
	 */
	async check(): Promise<string[]> {
		const lines: string[] = [];
		for (const target of this.targets) {
			const sent = this.sentTo(target);
			const executions = await this.bed.database.executions(target.workflowId);
			const faults = faultsOf(sent, executions);
			const forged = sent.filter(({ event }) => event.forgery !== undefined).length;
			lines.push(
				`${target.name}: ${sent.length - forged} genuine and ${forged} forged events, ${executions.length} executions, ${faults.length} faults`,
			);
			if (faults.length > 0) {
				throw new Error(
					`${target.name}: ${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`,
				);
			}
		}
		return lines;
	}
}

/** The rate that the trigger should reach, as a ratio to that of n8n's Webhook node. */
export interface Goals {
	ofWebhook?: number;
}

/** How many events each gets. A p99 can be compared only where they are equal. */
export interface Counts {
	ours: number;
	others: number;
}

/**
 * Sends events to the Payment Page Trigger, to the Webhook node and to the GitHub Trigger in turn.
 *
 * @throws Error when an event did not start exactly what it should have
 */
export async function measureFlood(
	bed: Bed,
	report: Report,
	counts: Counts,
	{ ofWebhook }: Goals = {},
): Promise<void> {
	const gitHubApi = await startGitHubApi();
	try {
		const targets = await publishTargets(bed, gitHubApi);
		const { ours, webhook, gitHub } = targets;
		const all: Target[] = Object.values(targets);
		const flood = new Flood(bed, all);
		for (const target of all) await flood.turn(target, toWarmUp);
		const share = (target: Target) =>
			Math.ceil((target === ours ? counts.ours : counts.others) / turns);
		const results = await inRounds(all, turns, (target) => flood.turn(target, share(target)));

		const values = (target: Target, figure: keyof Turn) =>
			(results.get(target) ?? []).map((turn) => turn[figure]);
		const exactRatio = (target: Target, other: Target, figure: keyof Turn) =>
			medianRatio(values(target, figure), values(other, figure));
		const ratio = (...of: Parameters<typeof exactRatio>) => rounded(exactRatio(...of), 2);
		await report.add(
			table(
				[
					...['', 'events/s', 'executed/s', 'p50 ms', 'p99 ms', 'forged p50 ms', 'CPU ms/event'],
					...['of Webhook', 'CPU of Webhook', 'of GitHub Trigger', 'CPU of GitHub Trigger'],
				],
				all.map((target) => [
					target.name,
					rounded(median(values(target, 'eventsPerSecond')), 1),
					rounded(median(values(target, 'executedPerSecond')), 1),
					Math.round(median(values(target, 'p50'))),
					Math.round(median(values(target, 'p99'))),
					target.verifies ? Math.round(median(values(target, 'forgedP50'))) : '',
					rounded(median(values(target, 'processorMilliseconds')), 1),
					ratio(target, webhook, 'executedPerSecond'),
					ratio(target, webhook, 'processorMilliseconds'),
					ratio(target, gitHub, 'executedPerSecond'),
					ratio(target, gitHub, 'processorMilliseconds'),
				]),
			),
			goalTable([
				{
					what: 'executed/s, of GitHub Trigger',
					measured: exactRatio(ours, gitHub, 'executedPerSecond'),
					atLeast: 1,
				},
				...(ofWebhook === undefined
					? []
					: [
							{
								what: 'executed/s, of Webhook',
								measured: exactRatio(ours, webhook, 'executedPerSecond'),
								atLeast: ofWebhook,
							},
						]),
				{ what: 'p99, of GitHub Trigger', measured: exactRatio(ours, gitHub, 'p99'), atMost: 1 },
			]),
		);
		await report.add(...(await flood.check()));
	} finally {
		await gitHubApi.stop();
	}
}
