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
	/** The text of the last answer. */
	answer: string;
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
	const tryOnce = async (event: FloodEvent): Promise<Pick<Sent, 'status' | 'answer'>> => {
		// As bytes: axios would look into a text.
		const body = Buffer.from(bodyOf(event.id));
		const answer = await http
			.post(target.url, body, {
				headers: { 'content-type': 'application/json', ...target.headers(event) },
			})
			.catch(() => undefined);
		return { status: answer?.status, answer: String(answer?.data ?? '') };
	};
	const send = async (event: FloodEvent): Promise<Sent> => {
		const startedAt = performance.now();
		begins();
		let last = await tryOnce(event);
		let tries = 1;
		for (const pause of pauses) {
			if (last.status === 200) break;
			await sleep(pause);
			last = await tryOnce(event);
			tries++;
		}
		return { event, ...last, milliseconds: performance.now() - startedAt, tries };
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
