import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { eventBody } from '../shared/events';
import type { Receiver } from '../shared/triggers';

const forgeries = ['wrong signature', 'no proof', 'signature over another body'] as const;

/** One event of a flood, with its headers and body. */
export interface FloodEvent {
	id: string; // found in no other event, and in the execution that the event starts
	body: string;
	headers: Record<string, string>;
	forgery?: (typeof forgeries)[number]; // why it must start nothing; left out for a genuine one
}

/** One in so many events is forged. */
const forgedEvery = 10;

/** So many events for a receiver; some are forged, in one way after the other, where it verifies. */
export function floodEvents(receiver: Receiver, count: number): FloodEvent[] {
	const verifies = Object.keys(receiver.headers('')).length > 0;
	return Array.from({ length: count }, (_, number) => {
		const body = eventBody(number);
		const id = `evt_${String(number).padStart(24, '0')}`;
		if (!verifies || number % forgedEvery !== forgedEvery - 1) {
			return { id, body, headers: receiver.headers(body) };
		}
		const forgery = forgeries[Math.floor(number / forgedEvery) % forgeries.length] ?? 'no proof';
		const headers = {
			'wrong signature': receiver.headers(body, 'not the secret'),
			'no proof': {},
			'signature over another body': receiver.headers(eventBody(count)),
		}[forgery];
		return { id, body, headers, forgery };
	});
}

/** What became of an event. */
export interface Sent {
	event: FloodEvent;
	status: number | undefined; // the status of the last answer; undefined when there was none
	answer: string; // the text of the last answer
	milliseconds: number; // from its first try to its last answer
	tries: number;
}

export interface SendOptions {
	connections: number; // how many events are sent at the same time
	/** How long to wait before each further try of what was not answered so, in milliseconds. */
	pauses?: readonly number[];
	begins?: () => void; // told before the first try of each event
}

/** Sends events over several connections; each keeps at its event until it is answered 200 or 401. */
export async function sendFlood(
	{ url }: Receiver,
	events: readonly FloodEvent[],
	{ connections, pauses = [], begins = () => undefined }: SendOptions,
): Promise<Sent[]> {
	const httpAgent = new Agent({ keepAlive: true, maxSockets: connections });
	const http = axios.create({
		httpAgent,
		timeout: 30_000,
		responseType: 'text',
		validateStatus: () => true,
	});
	const send = async (event: FloodEvent): Promise<Sent> => {
		const startedAt = performance.now();
		// As bytes: axios would look into a text.
		const body = Buffer.from(event.body);
		const headers = { 'content-type': 'application/json', ...event.headers };
		begins();
		for (let tries = 1; ; tries++) {
			const answer = await http.post<string>(url, body, { headers }).catch(() => undefined);
			const pause = pauses[tries - 1];
			const isFinal = answer?.status === 200 || answer?.status === 401;
			if (!isFinal && pause !== undefined) {
				await sleep(pause);
				continue;
			}
			const milliseconds = performance.now() - startedAt;
			return { event, status: answer?.status, answer: answer?.data ?? '', milliseconds, tries };
		}
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
