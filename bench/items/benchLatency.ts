import { Agent } from 'node:http';
import axios from 'axios';
import type { Bench } from '../shared/bench';
import { inParallel } from '../shared/inParallel';
import { goalTable, table } from '../shared/markdown';
import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { inRounds } from '../shared/rounds';
import { median, medianRatio, rounded } from '../shared/statistics';
import { type Contestant, storeWorkflow } from './contestants';
import { runItems } from './runItems';

const milliseconds = 200;
const atOnce = 5;

/** Milliseconds that so many requests take a program that does nothing else. */
async function bareRequests({ sandbox }: Bench, items: number): Promise<number> {
	const { merchantId, privateKey } = sandbox.settings;
	const http = axios.create({
		baseURL: sandbox.baseUrl,
		headers: { Authorization: `Bearer ${privateKey}`, 'Content-Type': 'application/json' },
		// As n8n does it: a connection for each request.
		httpAgent: new Agent({ keepAlive: false }),
	});
	const startedAt = performance.now();
	await inParallel([...Array(items).keys()], atOnce, async (number) => {
		const body = `{"merchantId":${merchantId},"pageName":"Page","paymentPageLinkReference":"bare-${number}"}`;
		await http.post('/PaymentPages/Add', body);
	});
	return performance.now() - startedAt;
}

/** A service that takes its time: the node should lose none between one answer and the next. */
export async function benchLatency(
	bench: Bench,
	report: Report,
	{ automatic, onlySends }: Record<'automatic' | 'onlySends', Contestant>,
	{ rounds, items }: Options,
): Promise<void> {
	const runner = async (contestant: Contestant) => {
		const workflowId = await storeWorkflow(bench, contestant, items);
		return {
			name: contestant.name,
			milliseconds: async () => (await runItems(bench, workflowId, items)).milliseconds,
		};
	};
	const ours = await runner(automatic);
	const floor = await runner(onlySends);
	const program = {
		name: 'a program that only sends',
		milliseconds: () => bareRequests(bench, items),
	};
	const contestants = [program, floor, ours];
	bench.sandbox.configure({ faults: [{ endpoint: 'create', kind: 'latency', milliseconds }] });
	const measured = await inRounds(contestants, rounds, (each) => each.milliseconds());
	bench.sandbox.configure({ faults: [] });

	const ideal = (items * milliseconds) / atOnce;
	const values = (contestant: (typeof contestants)[number]) => measured.get(contestant) ?? [];
	await report.add(
		'### A slow service',
		`The sandbox answers after ${milliseconds} ms, ${atOnce} requests in parallel, ${rounds} rounds of ${items} items.`,
		table(
			['', 'ms', 'of no loss'],
			[
				['no loss at all', ideal, 1],
				...contestants.map((each) => [
					each.name,
					rounded(median(values(each))),
					rounded(median(values(each)) / ideal, 3),
				]),
			],
		),
		goalTable([
			{
				what: 'of the time without any loss',
				measured: median(values(ours)) / ideal,
				atMost: 1.05,
			},
			{
				what: 'of a node that only sends',
				measured: medianRatio(values(ours), values(floor)),
				atMost: 1.02,
			},
		]),
	);
}
