import { untilSettled } from '../shared/executions';
import { rounded, show, table } from '../shared/figures';
import type { Options } from '../shared/options';
import { type QueueRig, type Rig, withQueueMode, withRegularMode } from '../shared/rig';
import { paymentPageTrigger, type Receiver, webhookNode } from '../shared/triggers';
import { disturb, type Ending, planDisturbances } from './disturb';
import { faultsOf, faultsUndisturbed, outcomesOf } from './outcomes';
import { floodEvents, type SendOptions, type Sent, sendFlood } from './send';

/** The Webhook node gets one event for so many of ours, over as many fewer connections. */
const partForWebhook = 4;
const connections = 20;

/** Growing pauses, as services make them, of three minutes in all: longer than any restart takes. */
const pauses = [1, 2, 4, 8, 16, 30, 60, 60].map((seconds) => seconds * 1000);

/** Each part ends once in so many events. */
const eventsForEachEnd = 4000;

/** n8n gives a job of a dead worker up after 60 s, looks every 30 s, and then waits for 30 s more. */
const quietMilliseconds = 150_000;

/** Executions of a second that run or wait for a worker do not look the same for so long. */
const drainedMilliseconds = 5_000;

type Flood = ReadonlyArray<readonly [Receiver, Sent[]]>;

/** Sends the events of both at the same time. */
async function sendBoth(
	[ours, webhook]: readonly [Receiver, Receiver],
	events: number,
	options: Omit<SendOptions, 'connections'> = {},
): Promise<Flood> {
	const send = async (receiver: Receiver, part: number) => {
		const own = floodEvents(receiver, Math.ceil(events / part));
		const sent = await sendFlood(receiver, own, { ...options, connections: connections / part });
		return [receiver, sent] as const;
	};
	return Promise.all([send(ours, 1), send(webhook, partForWebhook)]);
}

function percentile(sent: readonly Sent[], percent: number): number {
	const sorted = sent.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
	return Math.round(sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? NaN);
}

/** Reports what became of the events of each; throws if something did that should not. */
async function judge({ database }: Rig, flood: Flood, faults: typeof faultsOf): Promise<void> {
	const columns = await Promise.all(
		flood.map(async ([{ workflowId }, sent]) =>
			outcomesOf(sent, await database.executions(workflowId)),
		),
	);
	const rows = [...new Set(columns.flatMap((outcomes) => [...outcomes.keys()]))].sort();
	const again = (sent: Sent[]) => sent.filter(({ tries }) => tries > 1).length;
	show(
		table(
			['', ...flood.map(([{ name }]) => name)],
			[
				['p50, ms', ...flood.map(([, sent]) => percentile(sent, 50))],
				['p99, ms', ...flood.map(([, sent]) => percentile(sent, 99))],
				['sent more than once', ...flood.map(([, sent]) => again(sent))],
				...rows.map((row) => [row, ...columns.map((outcomes) => outcomes.get(row) ?? 0)]),
			],
		),
	);
	const found = columns.flatMap(faults);
	if (found.length > 0) throw new Error(found.join('\n'));
}

/** An undisturbed flood. */
async function flood(rig: Rig, { floodEvents: events }: Options): Promise<void> {
	const { signed } = await paymentPageTrigger(rig, rig.sandbox);
	const receivers = [signed, await webhookNode(rig)] as const;
	const startedAt = performance.now();
	const sent = await sendBoth(receivers, events);
	await untilSettled(
		rig.database,
		receivers.map(({ workflowId }) => workflowId),
	);
	const seconds = (performance.now() - startedAt) / 1000;
	const all = sent.flatMap(([, each]) => each).length;
	show(`${all} events in ${rounded(seconds)} s, ${rounded(all / seconds, 1)} a second.`);
	await judge(rig, sent, faultsUndisturbed);
}

/** A flood while parts of queue mode end and are started again. */
async function disturbedFlood(
	rig: QueueRig,
	{ floodEvents: events, seed }: Options,
	ending: Ending,
): Promise<void> {
	// Executions of a second, so that what ends hits some.
	const { signed } = await paymentPageTrigger(rig, rig.sandbox, 1);
	const receivers = [signed, await webhookNode(rig, 1)] as const;
	const workflowIds = receivers.map(({ workflowId }) => workflowId);
	let begun = 0;
	let isOver = false;
	const sending = sendBoth(receivers, events, { pauses, begins: () => begun++ }).finally(
		() => (isOver = true),
	);
	const all = events + Math.ceil(events / partForWebhook);
	const plan = planDisturbances(seed, all, Math.ceil(events / eventsForEachEnd));
	const untilDrained = () => untilSettled(rig.database, workflowIds, drainedMilliseconds);
	const { queue } = rig;
	const disturbed = { queue, begun: () => begun, isOver: () => isOver, untilDrained };
	const [sent] = await Promise.all([sending, disturb(disturbed, plan, ending)]);
	await untilSettled(rig.database, workflowIds, quietMilliseconds);
	// n8n looks for crashed executions when its main process starts.
	await queue.main.restart();
	await untilSettled(rig.database, workflowIds, quietMilliseconds);
	await judge(rig, sent, faultsOf);
}

const lazy = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

function describe({ floodEvents: events }: Options, what: string) {
	show(
		`${events} events for the Payment Page Trigger, one in ten forged, and at the same time ${Math.ceil(events / partForWebhook)} for the Webhook node. ${what}`,
	);
}

/** Thousands of events: each has exactly the execution that it should have. */
export async function benchFlood(options: Options): Promise<void> {
	describe(options, 'One process, SQLite.');
	await withRegularMode(lazy, (rig) => flood(rig, options));
}

/** The same in queue mode. */
export async function benchQueue(options: Options): Promise<void> {
	describe(options, 'Queue mode, PostgreSQL, two workers, two webhook processors.');
	await withQueueMode(lazy, (rig) => flood(rig, options));
}

const howTheyEnd: Record<Ending, string> = {
	killed: 'processes are killed (SIGKILL) and the databases restarted under them',
	orderly:
		'all parts are restarted, workers and databases only after the webhook processors were stopped and the queue was empty',
};

/** The same while the parts of queue mode end. */
async function benchEnding(options: Options, ending: Ending): Promise<void> {
	const how = `Queue mode; ${howTheyEnd[ending]}, each once in ${eventsForEachEnd} events.`;
	describe(options, `${how} Seed ${options.seed}.`);
	await withQueueMode({}, (rig) => disturbedFlood(rig, options, ending));
}
export const benchRestarts = (options: Options) => benchEnding(options, 'orderly');
export const benchKills = (options: Options) => benchEnding(options, 'killed');
