import { installN8n } from '../scripts/localN8n/install';
import { runMain } from '../scripts/shared/main';
import { benchEvents } from './events/benchEvents';
import { benchFlood, benchQueue } from './flood/benchFlood';
import { benchItems } from './items/benchItems';
import { benchKills, benchRestarts } from './kills/benchKills';
import { benchLoad } from './load/benchLoad';
import { benchList } from './list/benchList';
import { benchMany } from './many/benchMany';
import { circumstances, machineLoad } from './shared/machine';
import { type Options, type Part, readOptions } from './shared/options';
import { Report } from './shared/report';
import { benchSoak } from './soak/benchSoak';
import { benchVerification } from './verification/benchVerification';

interface Measurement {
	title: string;
	measure: (options: Options, report: Report) => Promise<void>;
}

const measurements: Record<Part, Measurement> = {
	load: { title: 'Loading the nodes', measure: benchLoad },
	many: { title: 'Many triggers on one n8n', measure: benchMany },
	list: { title: 'One long list', measure: benchList },
	items: { title: 'Creating pages', measure: benchItems },
	events: { title: 'Receiving events', measure: benchEvents },
	verification: { title: 'Verifying an event', measure: benchVerification },
	soak: { title: 'Thousands of pages on a bad day', measure: benchSoak },
	flood: { title: 'Floods of events', measure: benchFlood },
	queue: { title: 'Floods of events in queue mode', measure: benchQueue },
	restarts: { title: 'Parts of queue mode are restarted', measure: benchRestarts },
	kills: { title: 'Parts of queue mode are killed', measure: benchKills },
};

/** `npm run bench`: what the nodes cost, against what a user would pick instead. */
async function bench(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	await installN8n();
	const titles = Object.values(measurements).map(({ title }) => title);
	for (const part of options.parts) {
		const { title, measure } = measurements[part];
		console.log(`## ${title}\n`);
		const report = new Report();
		await report.add(
			`\`npm run bench -- ${part}\`, ${circumstances()}. Load averages of the machine at the start, over 1, 5 and 15 minutes: ${machineLoad()}.`,
		);
		await measure(options, report);
		await report.add(`Load averages at the end: ${machineLoad()}.`);
		if (options.write) await report.write(titles, title);
	}
}

runMain(bench);
