import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { killCreates } from './killCreates';
import { killFlood } from './killFlood';

/** What becomes of events when parts of queue mode are restarted the way that is advised. */
export async function benchRestarts(options: Options, report: Report): Promise<void> {
	// Little happens to events then, so fewer show it.
	const fewer = { ...options, floodEvents: Math.ceil(options.floodEvents / 5) };
	await killFlood(fewer, report, 'orderly');
}

/** What becomes of items and events when parts of queue mode are killed. */
export async function benchKills(options: Options, report: Report): Promise<void> {
	await killCreates(options, report);
	await killFlood(options, report, 'killed');
}
