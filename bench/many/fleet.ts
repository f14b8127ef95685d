import { Agent } from 'node:http';
import axios from 'axios';
import { waitFor } from '../../scripts/shared/waitFor';
import type { Bench } from '../shared/bench';
import { eventBody } from '../shared/event';
import { settledExecutions } from '../shared/executions';
import { inParallel } from '../shared/inParallel';
import { settled } from '../shared/settled';
import { publish } from '../shared/triggerWorkflow';
import type { Contestant, Receiver } from './contestants';

/** So many workflows are published at the same time. */
export const publishedAtOnce = 5;
const requestsAtOnce = 20;

const http = axios.create({
	httpAgent: new Agent({ keepAlive: false }),
	validateStatus: () => true,
});

async function seconds(work: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await work();
	return (performance.now() - startedAt) / 1000;
}

/** Whether n8n has a webhook there; unlike an event, this question starts nothing. */
async function answers(url: string): Promise<boolean> {
	const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
	const { status } = await http.options(url, { headers });
	return status === 204;
}

/** What a restart took. */
export interface Restart {
	seconds: number;
	/** Processor time of n8n's main process meanwhile. */
	processorSeconds: number;
	/** The most memory that n8n had until then, in bytes. */
	peak: number;
	/** Its memory when it did nothing more, in bytes. */
	resident: number;
	/** Of that, the heap. */
	heap: number;
}

/** All workflows of one contestant, on an n8n of their own. */
export class Fleet {
	private receivers: Receiver[] = [];

	constructor(
		readonly contestant: Contestant,
		readonly bench: Bench,
	) {}

	/** Stores so many workflows and publishes them; gives the seconds of the latter. */
	async publish(workflows: number): Promise<number> {
		const { contestant, bench } = this;
		for (let number = 1; number <= workflows; number++) {
			this.receivers.push(await contestant.store(bench, number));
		}
		return seconds(() =>
			inParallel(this.receivers, publishedAtOnce, ({ workflowId }) =>
				publish(bench.client, workflowId),
			),
		);
	}

	/** Starts n8n, which is stopped, and waits until it answers at the addresses of all workflows. */
	async start(): Promise<Restart> {
		const { n8n, meter } = this.bench;
		const addresses = await Promise.all(this.receivers.map((receiver) => receiver.address()));
		const duration = await seconds(async () => {
			await n8n.restart();
			await inParallel(addresses, requestsAtOnce, ({ url }) =>
				waitFor(() => answers(url), { what: `an answer at ${url}` }),
			);
		});
		const processorSeconds = (await meter.processorMilliseconds()) / 1000;
		const resident = await settled(() => meter.residentBytes());
		const [peak, heap] = [await meter.peakBytes(), await meter.liveHeapBytes()];
		return { seconds: duration, processorSeconds, peak, resident, heap };
	}

	/**
	 * Sends each workflow an event, which must start exactly one execution.
	 *
	 * @returns how many events were answered in a second
	 */
	async receive(): Promise<number> {
		const { client } = this.bench;
		const { name } = this.contestant;
		const duration = await seconds(() =>
			inParallel(this.receivers, requestsAtOnce, async ({ workflowId, address }) => {
				const { url, headers } = await address();
				const { status } = await http.post(url, eventBody, {
					headers: { 'content-type': 'application/json', ...headers },
				});
				if (status !== 200) throw new Error(`${name}: workflow ${workflowId} answered ${status}.`);
			}),
		);
		for (const { workflowId } of this.receivers) {
			const executions = await settledExecutions(client, workflowId);
			if (executions === 1) continue;
			throw new Error(`${name}: workflow ${workflowId} ran ${executions} times, not once.`);
		}
		return this.receivers.length / duration;
	}

	/** Ends all that the workflows have for themselves. */
	async close(): Promise<void> {
		await Promise.all(this.receivers.map((receiver) => receiver.stop()));
	}
}
