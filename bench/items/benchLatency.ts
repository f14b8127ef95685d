import { Agent } from 'node:http';
import axios from 'axios';
import type { Bench } from '../shared/bench';
import { printGoals } from '../shared/goal';
import { printTable, twoDigits } from '../shared/table';
import { type Contestant, storeWorkflow } from './contestants';
import { runItems } from './runItems';

const milliseconds = 200;
const inParallel = 5;

/** Milliseconds that so many requests take a program that does nothing else. */
async function bareRequests({ sandbox }: Bench, items: number): Promise<number> {
	const { merchantId, privateKey } = sandbox.settings;
	const http = axios.create({
		baseURL: sandbox.baseUrl,
		headers: { Authorization: `Bearer ${privateKey}`, 'Content-Type': 'application/json' },
		// As n8n does it: a connection for each request.
		httpAgent: new Agent({ keepAlive: false }),
	});
	let sent = 0;
	const sendOnAndOn = async () => {
		while (sent < items) {
			const body = `{"merchantId":${merchantId},"pageName":"Page","paymentPageLinkReference":"bare-${++sent}"}`;
			await http.post('/PaymentPages/Add', body);
		}
	};
	const startedAt = performance.now();
	await Promise.all(Array.from({ length: inParallel }, sendOnAndOn));
	return performance.now() - startedAt;
}

/** A service that takes its time: the node should lose none between one answer and the next. */
export async function benchLatency(
	bench: Bench,
	contestant: Contestant,
	items: number,
): Promise<void> {
	bench.sandbox.configure({ faults: [{ endpoint: 'create', kind: 'latency', milliseconds }] });
	const bare = await bareRequests(bench, items);
	const workflowId = await storeWorkflow(bench, contestant, items);
	const ours = (await runItems(bench, workflowId, items)).milliseconds;
	bench.sandbox.configure({ faults: [] });

	const ideal = (items * milliseconds) / inParallel;
	console.log(
		`Items, the sandbox answers after ${milliseconds} ms, ${inParallel} in parallel, ${items} items\n`,
	);
	printTable(
		['', 'ms', 'of no loss'],
		[
			['no loss at all', ideal, twoDigits(1)],
			['a program that only sends', Math.round(bare), twoDigits(bare / ideal)],
			[contestant.name, Math.round(ours), twoDigits(ours / ideal)],
		],
	);
	printGoals([{ what: 'of the time without any loss', measured: ours / ideal, atMost: 1.05 }]);
}
