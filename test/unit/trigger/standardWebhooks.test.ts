import { body, event, now, proofOf, timestamp } from './vectors';

/**
 * Signatures made with the public libraries of those who sign so: standardwebhooks 1.1.1 and
 * svix 2.5.0 (`new Webhook(secret).sign('msg_1', time, body)`, both the same), and stripe 23.1.0
 * (`webhooks.generateTestHeaderString`), whose secrets have the same prefix and are taken whole.
 */
const secret = 'whsec_dGhlIGtleSBvZiB0aGVzZSB0ZXN0cw==';
const standard = 'v1,hOFwcq5OzIO8LaA5S02e5wRdtLv1OczBIw9u8YUK7t8=';
const stripe = `t=${timestamp},v1=ec506a9b1835b38838dc609d1a78ad65f1c1161cc7886d06c2b825b40be5e363`;

function headersOf(prefix: string, change: Record<string, string> = {}) {
	return {
		[`${prefix}-id`]: 'msg_1',
		[`${prefix}-timestamp`]: timestamp,
		[`${prefix}-signature`]: standard,
		...change,
	};
}

describe.each(['webhook', 'svix', 'x-pay'])('Standard Webhooks with the names %s-…', (prefix) => {
	const name = `signature header:${prefix}-signature sha256 base64 id.timestamp.body id:${prefix}-id timestamp:${prefix}-timestamp`;
	const proof = (change = {}, more = {}) =>
		proofOf(event(headersOf(prefix, change)), { secrets: [secret], ...more });

	test('is a proof, by its full name, required or not', () => {
		expect(proof()).toBe(name);
		expect(proof({}, { requiredProof: name })).toBe(name);
		expect(proof({ [`${prefix}-signature`]: `v1,AAAA v1a,x ${standard}` })).toBe(name);
	});

	test.each([
		['another ID', { [`${prefix}-id`]: 'msg_2' }],
		['no ID', { [`${prefix}-id`]: '' }],
		['another time', { [`${prefix}-timestamp`]: '1700000001' }],
		['another signature', { [`${prefix}-signature`]: standard.replace('hO', 'hP') }],
	])('is none with %s', (_, change) => {
		expect(proof(change)).toBeUndefined();
	});

	test('is none with another key, and after seven days', () => {
		const others = ['whsec_', 'whsec_AAAA', 'whsec_b3RoZXIga2V5IG9mIHRoZSB0ZXN0cw==', 'whsec'];
		expect(proof({}, { secrets: others })).toBeUndefined();
		expect(proof({}, { at: now + 8 * 24 * 3_600_000 })).toBeUndefined();
	});
});

test('a secret with this prefix that is meant as it stands counts, too', () => {
	expect(proofOf(event({ 'stripe-signature': stripe }), { secrets: [secret] })).toBe(
		'signature header:stripe-signature sha256 hex timestamp.body timestamp:stripe-signature',
	);
	expect(body).toContain('payment.completed');
});
