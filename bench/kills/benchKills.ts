import type { Options } from '../shared/options';
import { killCreates } from './killCreates';
import { killFlood } from './killFlood';

/** What becomes of events and items when parts of queue mode are killed. */
export async function benchKills(options: Options): Promise<void> {
	await killCreates(options);
	await killFlood(options);
}
