import { installN8n } from '../scripts/localN8n/install';
import { runMain } from '../scripts/shared/terminal';
import { benchEvents } from './events/benchEvents';
import { benchFlood, benchKills, benchQueue, benchRestarts } from './flood/benchFlood';
import { benchItems } from './items/benchItems';
import { benchLoad } from './load/benchLoad';
import { circumstances, machineLoad, show } from './shared/figures';
import { type Options, type Part, readOptions } from './shared/options';
import { benchVerification } from './verification/benchVerification';

interface Measurement {
	title: string;
	measure: (options: Options) => Promise<void>;
}

const measurements: Record<Part, Measurement> = {
	load: { title: 'Loading the nodes', measure: benchLoad },
	items: { title: 'Creating pages', measure: benchItems },
	events: { title: 'Receiving events', measure: benchEvents },
	verification: { title: 'Verifying an event', measure: benchVerification },
	flood: { title: 'A flood of events', measure: benchFlood },
	queue: { title: 'A flood in queue mode', measure: benchQueue },
	restarts: { title: 'A flood while queue mode is restarted', measure: benchRestarts },
	kills: { title: 'A flood while queue mode is killed', measure: benchKills },
};

/** `npm run bench`: what the nodes cost, against what a user would pick instead, as Markdown. */
async function bench(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	await installN8n();
	for (const part of options.parts) {
		const { title, measure } = measurements[part];
		show(`## ${title}`, `${circumstances()}, ${machineLoad()} at the start.`);
		await measure(options);
		show(`At the end: ${machineLoad()}.`);
	}
}

runMain(bench);
