import { Agent } from 'node:http';
import path from 'node:path';
import axios from 'axios';
import { freePort } from '../../scripts/shared/ports';

/** What n8n's main process uses, as it tells itself. */
export interface Meter {
	/** Settings with which n8n has to be started. */
	environment: Record<string, string>;
	/** Processor time since the start of n8n, in milliseconds, of all its threads. */
	processorMilliseconds(): Promise<number>;
	/** Bytes of the heap that are in use after a garbage collection. */
	liveHeapBytes(): Promise<number>;
	/** Bytes of memory that the process has after a garbage collection. */
	residentBytes(): Promise<number>;
	/** The most bytes of memory that the process had since its start. */
	peakBytes(): Promise<number>;
}

export async function createMeter(): Promise<Meter> {
	const port = await freePort();
	const http = axios.create({
		baseURL: `http://127.0.0.1:${port}`,
		// A busy n8n closes a kept connection just when the next question is sent.
		httpAgent: new Agent({ keepAlive: false }),
	});
	const ask = async (figure: string) => (await http.get<number>(figure)).data;
	return {
		environment: {
			BENCH_METER_PORT: String(port),
			NODE_OPTIONS: `--require ${JSON.stringify(path.join(__dirname, 'meterInN8n.cjs'))}`,
		},
		processorMilliseconds: () => ask('processor'),
		liveHeapBytes: () => ask('memory'),
		residentBytes: () => ask('resident'),
		peakBytes: () => ask('peak'),
	};
}
