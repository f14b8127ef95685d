import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { killCreates } from './killCreates';
import { killFlood } from './killFlood';

/** What becomes of events and items when parts of queue mode are killed. */
export async function benchKills(options: Options, report: Report): Promise<void> {
	await killCreates(options, report);
	await killFlood(options, report);
}
