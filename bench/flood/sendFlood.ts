import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { bodyOf, type FloodEvent } from './floodEvents';
import type { Target } from './targets';

const usualConnections = 20;

/** What became of an event. */
export interface Sent {
	event: FloodEvent;
	/** The status of the last answer; undefined when there was none. */
	status: number | undefined;
	/** From its first try to its last answer. */
	milliseconds: number;
	tries: number;
}

export interface SendOptions {
	/** How many events are sent at the same time; 20 when left out. */
	connections?: number;
	/** How long to wait before each further try of what was not answered 200, in milliseconds. */
	pauses?: readonly number[];
	/** Told before the first try of each event. */
	begins?: () => void;
}

/**
 * Sends events over several connections, each of which keeps at its event, until it is answered 200 or has
 * been tried often enough, before it takes the next one.
 */
export async function sendFlood(
	target: Target,
	events: readonly FloodEvent[],
	{ connections = usualConnections, pauses = [], begins = () => undefined }: SendOptions = {},
): Promise<Sent[]> {
	const httpAgent = new Agent({ keepAlive: true, maxSockets: connections });
	const http = axios.create({
		httpAgent,
		timeout: 30_000,
		responseType: 'text',
		validateStatus: () => true,
	});
	const tryOnce = async (event: FloodEvent): Promise<number | undefined> => {
		// As bytes: axios would look into a text.
		const body = Buffer.from(bodyOf(event.id));
		const answer = await http
			.post(target.url, body, {
				headers: { 'content-type': 'application/json', ...target.headers(event) },
			})
			.catch(() => undefined);
		return answer?.status;
	};
	const send = async (event: FloodEvent): Promise<Sent> => {
		const startedAt = performance.now();
		begins();
		let status = await tryOnce(event);
		let tries = 1;
		for (const pause of pauses) {
			if (status === 200) break;
			await sleep(pause);
			status = await tryOnce(event);
			tries++;
		}
		return { event, status, milliseconds: performance.now() - startedAt, tries };
	};

	const sent: Sent[] = [];
	const waiting = events.values();
	const connection = async (): Promise<void> => {
		for (const event of waiting) sent.push(await send(event));
	};
	await Promise.all(Array.from({ length: connections }, connection));
	httpAgent.destroy();
	return sent;
}
