import { createHmac } from 'node:crypto';
import {
	type Demand,
	type ReceivedEvent,
	verify,
} from '../../nodes/PaymentPageTrigger/verification/verify';
import { goalTable, table } from '../shared/markdown';
import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { rounded } from '../shared/statistics';

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
	'accept-encoding': 'gzip, deflate, br',
	'content-type': 'application/json; charset=utf-8',
	'content-length': String(rawBody.length),
	connection: 'keep-alive',
	'x-forwarded-for': '203.0.113.7, 198.51.100.22',
	'x-forwarded-host': 'n8n.shop.example',
	'x-forwarded-proto': 'https',
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

const signed = eventWith({ 'x-signature': hmac(secret, 'sha256', 'hex') });
const forged = eventWith({ 'x-signature': hmac('another secret', 'sha256', 'hex') });

const cases: Case[] = [
	{ name: 'HMAC-SHA256, hex', event: signed, demand: any, isGenuine: true },
	{ name: 'HMAC-SHA256, hex, required', event: signed, demand: required, isGenuine: true },
	{
		name: 'HMAC-SHA512, base64',
		event: eventWith({ 'x-signature': hmac(secret, 'sha512', 'base64') }),
		demand: any,
		isGenuine: true,
	},
	{
		name: 'HMAC-SHA1, hex',
		event: eventWith({ 'x-signature': hmac(secret, 'sha1', 'hex') }),
		demand: any,
		isGenuine: true,
	},
	{
		name: 'HMAC-SHA256 with timestamp',
		event: eventWith({
			'x-signature': `t=${timestamp},v1=${hmac(secret, 'sha256', 'hex', `${timestamp}.`)}`,
		}),
		demand: any,
		isGenuine: true,
	},
	{
		name: 'secret in a header',
		event: eventWith({ 'x-webhook-secret': secret }),
		demand: any,
		isGenuine: true,
	},
	{
		name: 'URL token',
		event: eventWith({}, keys.token),
		demand: any,
		isGenuine: true,
	},
	{ name: 'forged: wrong signature', event: forged, demand: any, isGenuine: false },
	{ name: 'forged: wrong signature, required', event: forged, demand: required, isGenuine: false },
	{
		name: 'forged: wrong signature with timestamp',
		event: eventWith({
			'x-signature': `t=${timestamp},v1=${hmac('another secret', 'sha256', 'hex')}`,
		}),
		demand: any,
		isGenuine: false,
	},
	{ name: 'forged: no proof', event: eventWith({}), demand: any, isGenuine: false },
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
export async function benchVerification(_options: Options, report: Report): Promise<void> {
	const headers = Object.keys(usualHeaders).length;
	const kilobytes = rounded(rawBody.length / 1024);
	const times = cases.map(microseconds);
	await report.add(
		`One event of ${kilobytes} KB with ${headers} usual headers.`,
		table(
			['', 'µs per event'],
			cases.map(({ name }, index) => [name, rounded(times[index] ?? NaN, 1)]),
		),
		goalTable([{ what: 'the slowest of them, in µs', measured: Math.max(...times), atMost: 50 }]),
	);
}
