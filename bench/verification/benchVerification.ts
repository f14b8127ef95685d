import { createHmac } from 'node:crypto';
import {
	type Demand,
	type ReceivedEvent,
	verify,
} from '../../nodes/PaymentPageTrigger/verification/verify';
import { goalTable, rounded, show, table } from '../shared/figures';

const secret = 'whsec-for-the-benchmark-only-0123456789abcdef';
const keys = { secret, token: '641ec49cd3b9701e5c7d74d1e6970ff6' };
const now = Date.parse('2026-01-15T09:30:00Z');
const timestamp = String(now / 1000);
const rawBody = Buffer.from(JSON.stringify({ text: 'a payment of 49.90 EUR; '.repeat(420) }));

/** What a service behind a load balancer usually sends. */
const usualHeaders = {
	host: 'n8n.shop.example',
	'user-agent': 'PaymentPages/1.0 (+https://payment-pages.example)',
	accept: 'application/json, text/plain, */*',
	'content-type': 'application/json; charset=utf-8',
	'content-length': String(rawBody.length),
	'x-forwarded-for': '203.0.113.7, 198.51.100.22',
	'x-request-id': '5f0c1c1e-8f4d-4c57-9d0e-3b6f3a3c9b51',
	traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

function hmac(key: string, algorithm: string, encoding: 'hex' | 'base64', content = ''): string {
	return createHmac(algorithm, key).update(content).update(rawBody).digest(encoding);
}

function eventWith(headers: Record<string, string>, token?: string): ReceivedEvent {
	const tokens = token === undefined ? [] : [token];
	return { headers: { ...usualHeaders, ...headers }, tokens, rawBody };
}

const any: Demand = { requiredProof: '', toleranceSeconds: 604_800, strongest: undefined };

const required: Demand = { ...any, requiredProof: 'signature header:x-signature sha256 hex body' };

interface Case {
	name: string;
	event: ReceivedEvent;
	demand: Demand;
	isGenuine: boolean;
}

const sign = (value: string): ReceivedEvent => eventWith({ 'x-signature': value });
const genuine = (name: string, event: ReceivedEvent, demand = any): Case => {
	return { name, event, demand, isGenuine: true };
};
const forged = (how: string, event: ReceivedEvent, demand = any): Case => {
	return { name: `forged: ${how}`, event, demand, isGenuine: false };
};
const right = sign(hmac(secret, 'sha256', 'hex'));
const wrong = sign(hmac('another secret', 'sha256', 'hex'));
const timed = (key: string) =>
	sign(`t=${timestamp},v1=${hmac(key, 'sha256', 'hex', `${timestamp}.`)}`);

const cases: Case[] = [
	genuine('HMAC-SHA256, hex', right),
	genuine('HMAC-SHA256, hex, required', right, required),
	genuine('HMAC-SHA512, base64', sign(hmac(secret, 'sha512', 'base64'))),
	genuine('HMAC-SHA1, hex', sign(hmac(secret, 'sha1', 'hex'))),
	genuine('HMAC-SHA256 with timestamp', timed(secret)),
	genuine('secret in a header', eventWith({ 'x-webhook-secret': secret })),
	genuine('URL token', eventWith({}, keys.token)),
	forged('wrong signature', wrong),
	forged('wrong signature, required', wrong, required),
	forged('wrong signature with timestamp', timed('another secret')),
	forged('no proof', eventWith({})),
];

const eventsPerBatch = 4_000;
const batches = 10;

/**
 * Microseconds of processor time for one event, of the fastest of several batches: whatever else the
 * machine does can only add to it. Two batches before them warm up.
 */
function microseconds({ name, event, demand, isGenuine }: Case): number {
	let fastest = Infinity;
	for (let batch = -2; batch < batches; batch++) {
		let accepted = 0;
		const start = process.threadCpuUsage();
		for (let count = 0; count < eventsPerBatch; count++) {
			if (verify(event, [keys], demand, now).proof !== undefined) accepted++;
		}
		const { user, system } = process.threadCpuUsage(start);
		if (accepted !== (isGenuine ? eventsPerBatch : 0)) {
			throw new Error(`${name}: ${accepted} of ${eventsPerBatch} events were accepted.`);
		}
		if (batch >= 0) fastest = Math.min(fastest, (user + system) / eventsPerBatch);
	}
	return fastest;
}

/** The verification of an event alone, without n8n. */
export async function benchVerification(): Promise<void> {
	const headers = Object.keys(usualHeaders).length;
	const kilobytes = rounded(rawBody.length / 1024);
	const times = cases.map(microseconds);
	show(
		`One event of ${kilobytes} KB with ${headers} usual headers.`,
		table(
			['', 'µs per event'],
			cases.map(({ name }, index) => [name, rounded(times[index] ?? NaN, 1)]),
		),
		goalTable([{ what: 'the slowest of them, in µs', measured: Math.max(...times), atMost: 50 }]),
	);
}
