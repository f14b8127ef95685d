import autocannon from 'autocannon';
import type { Contestant } from './contestants';
import { eventBody } from '../shared/event';

const connections = 20;

/** What one contestant did in one round. */
export interface Load {
	eventsPerSecond: number;
	/** Milliseconds within which 99 of 100 events were answered. */
	p99: number;
}

/**
 * Sends events over 20 connections, each of which waits for the answer before it sends the next.
 * Rejects when an answer is not the expected one, since then something else was measured.
 */
export async function sendEvents(contestant: Contestant, amount: number): Promise<Load> {
	const { name, url, headers, expectedStatus } = contestant;
	const startedAt = performance.now();
	let answeredAt = startedAt;
	const result = await autocannon({
		url,
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: eventBody,
		connections,
		amount,
		timeout: 60,
		// autocannon itself looks once a second whether all is done.
		setupClient: (client) => client.on('response', () => (answeredAt = performance.now())),
	});
	const answered = result.statusCodeStats?.[`${expectedStatus}`]?.count;
	if (answered !== amount) {
		const statuses = JSON.stringify(result.statusCodeStats);
		throw new Error(
			`${name}: of ${amount} events, all should be answered ${expectedStatus}, but the answers were ${statuses}, and ${result.errors} failed.`,
		);
	}
	return { eventsPerSecond: (amount * 1000) / (answeredAt - startedAt), p99: result.latency.p99 };
}
