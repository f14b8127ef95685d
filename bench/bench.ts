import { cpus, loadavg } from 'node:os';
import { benchEvents } from './events/benchEvents';
import { benchFlood } from './flood/benchFlood';
import { benchItems } from './items/benchItems';
import { benchKills } from './kills/benchKills';
import { benchSoak } from './soak/benchSoak';
import { type Options, type Part, readOptions } from './shared/options';
import { benchVerification } from './verification/benchVerification';
import { n8nVersion } from '../scripts/localN8n/installation';
import { installN8n } from '../scripts/localN8n/install';
import { runMain } from '../scripts/shared/main';

const benches: Record<Part, (options: Options) => Promise<void> | void> = {
	verification: benchVerification,
	events: benchEvents,
	items: benchItems,
	soak: benchSoak,
	flood: benchFlood,
	kills: benchKills,
};

/** `npm run bench`: what an event and an item cost, against what a user would pick instead. */
async function bench(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	await installN8n();
	const load = loadavg().map((value) => value.toFixed(1));
	console.log(
		`n8n ${n8nVersion}, Node ${process.version}, ${cpus().length} cores, load ${load.join(' ')}\n`,
	);
	for (const part of options.parts) await benches[part](options);
}

runMain(bench);
