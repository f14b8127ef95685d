import { randomUUID } from 'node:crypto';
import type { IConnections, INode } from 'n8n-workflow';
import { startGitHubApi } from '../events/gitHubApi';
import { type QueueBed, withQueueMode } from '../flood/beds';
import { floodEvents } from '../flood/floodEvents';
import { type Sent, sendFlood } from '../flood/sendFlood';
import { publishTargets, type Target } from '../flood/targets';
import { table } from '../shared/markdown';
import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { waitFor } from '../../scripts/shared/waitFor';
import { type Ending, killDuring } from './killing';
import { planKills } from './killPlan';
import { lostEvents, outcomesOf } from './outcomes';

/** Growing pauses, as services make them, of three minutes in all: longer than any restart takes. */
const pauses = [1, 2, 4, 8, 16, 30, 60, 60].map((seconds) => seconds * 1000);

const connectionsOfOurs = 20;

/** The Webhook node gets one event for so many of ours, over as many fewer connections. */
const partForWebhook = 4;

/** Each part is killed once in so many events. */
const eventsForEachKill = 4000;

/** n8n gives a job of a dead worker up after 60 s, looks every 30 s, and then waits for 30 s more. */
const quietMilliseconds = 150_000;

/** Executions of a second that run or wait for a worker do not look the same for so long. */
const drainedMilliseconds = 5_000;

type Flood = ReadonlyMap<Target, readonly Sent[]>;

/** Waits until no execution waits or runs, or until n8n has left them as they are for long enough. */
async function untilQuiet(
	{ database }: QueueBed,
	targets: Iterable<Target>,
	enough = quietMilliseconds,
): Promise<void> {
	const workflowIds = [...targets].map(({ workflowId }) => workflowId);
	let last = '';
	let lastChange = Date.now();
	await waitFor(
		async () => {
			const statuses = await Promise.all(workflowIds.map((id) => database.statuses(id)));
			const now = JSON.stringify(statuses.map((each) => [...each].sort()));
			if (now !== last) [last, lastChange] = [now, Date.now()];
			const isSettled = statuses.every((each) => !each.has('new') && !each.has('running'));
			return isSettled || Date.now() - lastChange > enough;
		},
		{ what: 'n8n to come to rest', timeoutMilliseconds: 60 * 60_000, intervalMilliseconds: 1000 },
	);
}

/** Reports what became of the events; gives how many are lost. */
async function reportOutcomes(
	title: string,
	{ database }: QueueBed,
	report: Report,
	flood: Flood,
): Promise<number> {
	const columns = await Promise.all(
		[...flood].map(async ([{ name, workflowId }, sent]) => {
			return { name, outcomes: outcomesOf(sent, await database.executions(workflowId)) };
		}),
	);
	const rows = [...new Set(columns.flatMap(({ outcomes }) => [...outcomes.keys()]))].sort();
	await report.add(
		table(
			[title, ...columns.map(({ name }) => name)],
			rows.map((row) => [row, ...columns.map(({ outcomes }) => outcomes.get(row) ?? 0)]),
		),
	);
	return columns.reduce((sum, { outcomes }) => sum + lostEvents(outcomes), 0);
}

/** Does what a person does in the list of executions: retries all that did not succeed. */
async function retryFailed(
	{ client, database }: QueueBed,
	report: Report,
	targets: Iterable<Target>,
): Promise<void> {
	let retried = 0;
	let refused = 0;
	for (const { workflowId } of targets) {
		const executions = await database.executions(workflowId);
		for (const { id } of executions.filter(({ status }) => status !== 'success')) {
			await client.session.request('post', `/executions/${id}/retry`, {}).then(
				() => retried++,
				() => refused++,
			);
		}
	}
	await report.add(`Retry by hand: ${retried} executions ran again, ${refused} could not.`);
}

/** Lets each execution last a second, so that kills hit some. */
async function lastASecond({ client }: QueueBed, { workflowId, name }: Target): Promise<void> {
	const { nodes } = await client.getWorkflow(workflowId);
	const wait: INode = {
		id: randomUUID(),
		name: 'Wait',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		position: [200, 0],
		parameters: { amount: 1, unit: 'seconds' },
	};
	const connections: IConnections = {
		Trigger: { main: [[{ node: wait.name, type: 'main', index: 0 }]] },
	};
	await client.updateWorkflow(workflowId, { nodes: [...nodes, wait], connections });
	const { status } = await client.activate(workflowId);
	if (status !== 'published') throw new Error(`${name} was not published again: ${status}`);
}

async function measure(
	bed: QueueBed,
	report: Report,
	{ floodEvents: events, seed }: Options,
	ending: Ending,
): Promise<void> {
	const gitHubApi = await startGitHubApi();
	try {
		const { ours, webhook } = await publishTargets(bed, gitHubApi);
		for (const target of [ours, webhook]) await lastASecond(bed, target);
		let begun = 0;
		const options = { pauses, begins: () => (begun += 1) };
		const send = async (target: Target, part: number) => {
			const connections = connectionsOfOurs / part;
			const count = Math.ceil(events / part);
			const sent = await sendFlood(target, floodEvents(0, count, false), {
				...options,
				connections,
			});
			return [target, sent] as const;
		};
		const sending = Promise.all([send(ours, 1), send(webhook, partForWebhook)]);
		const all = events + Math.ceil(events / partForWebhook);
		const plan = planKills(seed, all, Math.ceil(events / eventsForEachKill));
		await killDuring(
			sending,
			bed.queue,
			plan,
			ending,
			() => begun,
			() => untilQuiet(bed, [ours, webhook], drainedMilliseconds),
		);
		const flood: Flood = new Map(await sending);
		const repeated = [...flood].map(([{ name }, sent]) => {
			const count = sent.filter(({ tries }) => tries > 1).length;
			return `${count} of ${sent.length} for the ${name}`;
		});
		await report.add(`Events that were sent more than once: ${repeated.join(', ')}.`);
		await untilQuiet(bed, flood.keys());
		await reportOutcomes('when n8n has come to rest', bed, report, flood);
		await bed.queue.main.restart();
		await untilQuiet(bed, flood.keys());
		const lost = await reportOutcomes('after a restart of the main process', bed, report, flood);
		await retryFailed(bed, report, flood.keys());
		await untilQuiet(bed, flood.keys());
		await reportOutcomes('after retries by hand', bed, report, flood);
		if (lost > 0) throw new Error(`${lost} events that were answered 200 are in no execution.`);
	} finally {
		await gitHubApi.stop();
	}
}

const howItEnds: Record<Ending, string> = {
	killed:
		'workers, webhook processors and the main process are killed (SIGKILL), Redis and PostgreSQL are restarted',
	orderly:
		'workers, webhook processors and the main process are restarted (SIGTERM), and Redis and PostgreSQL; workers and databases only after the webhook processors were stopped and the queue was empty',
};

/** Events while parts of queue mode end and are started again: what became of each of them. */
export async function killFlood(options: Options, report: Report, ending: Ending): Promise<void> {
	await report.add(
		`### Events, ${ending === 'killed' ? 'killed' : 'restarted in good order'}`,
		`${options.floodEvents} events for the Payment Page Trigger and at the same time a quarter of them for the Webhook node, executions of a second, in queue mode; ${howItEnds[ending]}, each once in ${eventsForEachKill} events. What is not answered 200 is sent again, up to ${pauses.length} times. Seed ${options.seed}.`,
	);
	await withQueueMode({}, (bed) => measure(bed, report, options, ending));
}
