import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { type Bed, withQueueMode, withRegularMode } from './beds';
import { type Goals, measureFlood } from './measureFlood';

/** The default engine takes so many times as long, so it gets a part of the events. */
const partForDefaultEngine = 10;

/** With lazy acquisition the others get fewer events, since the GitHub Trigger would take half an hour. */
const partForOthers = 10;

interface Mode {
	name: string;
	withBed: (
		environment: Record<string, string>,
		work: (bed: Bed) => Promise<void>,
	) => Promise<void>;
	/** The goals with lazy acquisition, and with n8n's default engine. */
	lazy: Goals;
	byDefault: Goals;
}

async function flood(mode: Mode, { floodEvents }: Options, report: Report): Promise<void> {
	const engines = [
		{
			name: 'lazy acquisition',
			lazy: 'true',
			counts: { ours: floodEvents, others: Math.ceil(floodEvents / partForOthers) },
			goals: mode.lazy,
		},
		{
			name: "n8n's default expression engine",
			lazy: 'false',
			counts: {
				ours: Math.ceil(floodEvents / partForDefaultEngine),
				others: Math.ceil(floodEvents / partForDefaultEngine),
			},
			goals: mode.byDefault,
		},
	];
	for (const { name, lazy, counts, goals } of engines) {
		await report.add(
			`### ${mode.name}, ${name}`,
			`${counts.ours} events for the Payment Page Trigger and ${counts.others} for each other node, over 20 connections; one in ten is forged, but not for the Webhook node, which verifies nothing.`,
		);
		await mode.withBed({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: lazy }, (bed) =>
			measureFlood(bed, report, counts, goals),
		);
	}
}

/** Thousands of events, forged ones among them: each has exactly the execution that it should have. */
export async function benchFlood(options: Options, report: Report): Promise<void> {
	await flood(
		{
			name: 'One process, SQLite',
			withBed: withRegularMode,
			lazy: { ofWebhook: 0.9 },
			byDefault: { ofWebhook: 0.6 },
		},
		options,
		report,
	);
}

/** The same in queue mode: two webhook processors, two workers, PostgreSQL. */
export async function benchQueue(options: Options, report: Report): Promise<void> {
	await flood(
		{
			name: 'Queue mode, PostgreSQL',
			withBed: withQueueMode,
			lazy: { ofWebhook: 0.9 },
			byDefault: {},
		},
		options,
		report,
	);
}
