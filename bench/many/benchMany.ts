import { withBench } from '../shared/bench';
import { goalTable, table } from '../shared/markdown';
import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { inRounds } from '../shared/rounds';
import { median, medianRatio, rounded } from '../shared/statistics';
import { ours, plain } from './contestants';
import { Fleet, publishedAtOnce, type Restart } from './fleet';

/** Only one n8n runs at a time, so that the other one takes nothing from it. */
async function measure(
	fleets: { ours: Fleet; plain: Fleet },
	{ workflows, rounds }: Options,
	report: Report,
): Promise<void> {
	const all = [fleets.plain, fleets.ours];
	for (const fleet of all) await fleet.bench.n8n.stop();

	const published = new Map<Fleet, number>();
	for (const fleet of all) {
		await fleet.start();
		published.set(fleet, await fleet.publish(workflows));
		await fleet.bench.n8n.stop();
	}
	const restarts = await inRounds(all, rounds, async (fleet) => {
		const restart = await fleet.start();
		await fleet.bench.n8n.stop();
		return restart;
	});
	const events = new Map<Fleet, number>();
	for (const fleet of all) {
		await fleet.start();
		events.set(fleet, await fleet.receive());
		await fleet.bench.n8n.stop();
	}

	const figures = (fleet: Fleet, figure: keyof Restart) =>
		(restarts.get(fleet) ?? []).map((restart) => restart[figure]);
	const megabytes = (fleet: Fleet, figure: keyof Restart) =>
		rounded(median(figures(fleet, figure)) / 1024 ** 2);
	const ratio = (figure: keyof Restart) =>
		medianRatio(figures(fleets.ours, figure), figures(fleets.plain, figure));
	await report.add(
		table(
			[
				'',
				'publish, s',
				'restart, s',
				'restart, CPU s',
				'peak, MB',
				'settled, MB',
				'heap, MB',
				'events/s',
			],
			all.map((fleet) => [
				fleet.contestant.name,
				rounded(published.get(fleet) ?? NaN, 1),
				rounded(median(figures(fleet, 'seconds')), 1),
				rounded(median(figures(fleet, 'processorSeconds')), 1),
				megabytes(fleet, 'peak'),
				megabytes(fleet, 'resident'),
				megabytes(fleet, 'heap'),
				rounded(events.get(fleet) ?? NaN, 1),
			]),
		),
		goalTable([
			{
				what: 'time of a restart, of that with Webhook nodes',
				measured: ratio('seconds'),
				atMost: 1.2,
			},
			{
				what: 'processor time of a restart, of that with Webhook nodes',
				measured: ratio('processorSeconds'),
				atMost: 1.2,
			},
		]),
		`Each of the ${workflows} events started exactly one execution of its workflow.`,
	);
}

/** Many published workflows, each of a merchant of its own, against as many Webhook nodes. */
export async function benchMany(options: Options, report: Report): Promise<void> {
	const { workflows, rounds } = options;
	await report.add(
		`${workflows} published workflows that consist of the trigger alone, each with a credential and a merchant of its own, against ${workflows} with a Webhook node on another new n8n. Only one of the two runs at a time. A restart takes from the start of the process until n8n answers at all ${workflows} addresses. Figures of restarts are medians of ${rounds}. Memory is that of n8n's main process: its peak, what it keeps after a garbage collection, and how much of that is heap. ${publishedAtOnce} workflows are published at a time; our trigger also registers its URL with the service. At the end, each workflow gets one signed event.`,
	);
	await withBench({}, (withWebhooks) =>
		withBench({}, async (withTriggers) => {
			const fleets = {
				plain: new Fleet(plain, withWebhooks),
				ours: new Fleet(ours, withTriggers),
			};
			try {
				await measure(fleets, options, report);
			} finally {
				await fleets.ours.close();
				await fleets.plain.close();
			}
		}),
	);
}
