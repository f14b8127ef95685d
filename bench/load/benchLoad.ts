import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import packageFile from '../../package.json';
import { packageFolder, putPackage } from '../../scripts/localN8n/instance';
import { installationFolder } from '../../scripts/localN8n/installation';
import { packPackage } from '../../scripts/pack';
import { capture } from '../../scripts/shared/subprocess';
import { goalTable, inRounds, median, rounded, show, table } from '../shared/figures';
import type { Options } from '../shared/options';

/** Nodes that are loaded together. */
interface Contestant {
	name: string;
	files: string[];
}

/** What loading them took, as loadNodes.cjs tells. */
interface Load {
	modules: number; // files of JavaScript, libraries included
	milliseconds: number;
	megabytes: number; // memory that is still in use after a garbage collection
}

const n8nModules = path.join(installationFolder(), 'node_modules');

function contestantsWith(folder: string) {
	const ours = packageFile.n8n.nodes.map((file) => path.join(folder, file));
	const ofN8n = (name: string) =>
		path.join(n8nModules, 'n8n-nodes-base', 'dist', 'nodes', `${name}.node.js`);
	return {
		nodes: { name: 'Payment Page and its trigger', files: ours },
		plain: {
			name: 'HTTP Request and Webhook',
			files: ['HttpRequest/HttpRequest', 'Webhook/Webhook'].map(ofN8n),
		},
	} satisfies Record<string, Contestant>;
}

async function load({ name, files }: Contestant): Promise<Load> {
	const script = path.join(__dirname, 'loadNodes.cjs');
	const { code, output } = await capture(process.execPath, ['--expose-gc', script, ...files], {
		// n8n's own modules, as n8n gives them to community nodes.
		environment: { ...process.env, NODE_OPTIONS: '', NODE_PATH: n8nModules },
	});
	if (code !== 0) throw new Error(`${name} can't be loaded: ${output}`);
	return JSON.parse(output) as Load;
}

/** What loading the nodes costs n8n when it starts: time and memory. */
export async function benchLoad({ loads }: Options): Promise<void> {
	show(
		`Each is loaded ${loads} times, in a new process that has loaded n8n-core and n8n-workflow before. The times and memory are medians. Memory is what stays in use after a garbage collection. Libraries that only a node uses are included.`,
	);
	const userFolder = await mkdtemp(path.join(tmpdir(), 'payment-pages-bench-'));
	try {
		// As n8n has it: compiled, packed and unpacked again.
		await putPackage(userFolder, await packPackage());
		const named = contestantsWith(packageFolder(userFolder));
		const contestants: Contestant[] = Object.values(named);
		// The first time, files come from the disk.
		for (const contestant of contestants) await load(contestant);
		const measured = await inRounds(contestants, loads, load);
		const middle = (contestant: Contestant, figure: keyof Load) =>
			median((measured.get(contestant) ?? []).map((each) => each[figure]));
		show(
			table(
				['', 'ms', 'MB', 'files'],
				contestants.map((each) => [
					each.name,
					rounded(middle(each, 'milliseconds'), 1),
					rounded(middle(each, 'megabytes'), 2),
					middle(each, 'modules'),
				]),
			),
			goalTable([
				{
					what: 'ms to load both nodes',
					measured: middle(named.nodes, 'milliseconds'),
					atMost: 20,
				},
				{ what: 'MB that both nodes add', measured: middle(named.nodes, 'megabytes'), atMost: 2 },
			]),
		);
	} finally {
		await rm(userFolder, { recursive: true, force: true });
	}
}
