import {
	kindOf,
	verify,
	type Demand,
	type ReceivedEvent,
} from '../../../nodes/PaymentPageTrigger/verification/verify';

/**
 * An event and its signatures as OpenSSL 3 computed them, with
 *
 *   printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r
 *   printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64 -w0
 *
 * and "1700000000.$BODY" in place of "$BODY" for a signature over timestamp, dot, body.
 */
export const secret = 'whsec_Test-Secret-0123456789';
export const body = '{"event":"payment.completed","name":"Zoë","amount":49.9}';
export const timestamp = '1700000000';

export const now = 1_700_000_010_000; // milliseconds: ten seconds after the event was signed

export const overBody = {
	'sha256 hex': 'bded74751d8bdbba4df0ac2acb3fabb30a05e3532329a7c5cb6ef5529880e31f',
	'sha256 base64': 've10dR2L27pN8Kwqyz+rswoF41MjKafFy271UpiA4x8=',
	'sha512 hex':
		'aee69edd5ec98d9bf99ae85d15a85e7eed7e61830eafdbe9e19dbdd03facbe93ad085eaf1634f4ebeda4f73297f4413ae6fc48e776d3d1a3af1e65bd6c372033',
	'sha512 base64':
		'ruae3V7JjZv5muhdFahefu1+YYMOr9vp4Z290D+svpOtCF6vFjT06+2k9zKX9EE65vxI53bT0aOvHmW9bDcgMw==',
	'sha1 hex': 'd3549d11e1362b99df9d86a02509d4de9e10901e',
	'sha1 base64': '01SdEeE2K5nfnYagJQnU3p4QkB4=',
};
export const overTimestampAndBody =
	'4194d968e3ee62cbc0c92eb034a17715b6f5dedd06cf414652f1f135e33f6933';

/** Of the API key `sandbox-api-key`; how OpenSSL derives it stands in verify.test.ts. */
export const token = '641ec49cd3b9701e5c7d74d1e6970ff6';

/** Keys that hold another secret, whose token is another, too. */
export const keysOf = (other: string) => ({
	secret: other,
	token: other === secret ? token : `token of ${other}`,
});

/** The event with these headers, and with a token only if it is given. */
export function event(headers: ReceivedEvent['headers'] = {}, given?: string): ReceivedEvent {
	const tokens = given === undefined ? [] : [given];
	return { headers, tokens, rawBody: Buffer.from(body) };
}

/** Unless told otherwise, of a trigger without options that has learned nothing yet. */
export type Situation = Partial<Demand> & { secrets?: string[]; at?: number };

/** Name of the proof that counts, or why none does. */
export function verdictOf(received: ReceivedEvent, situation: Situation = {}): string | undefined {
	const { secrets = [secret], at = now, ...demand } = situation;
	const anyProof = { requiredProof: '', toleranceSeconds: 604_800, strongest: undefined };
	const keys = secrets.map(keysOf);
	const { proof, rejection } = verify(received, keys, { ...anyProof, ...demand }, at);
	if (proof !== undefined) expect(proof.kind).toBe(kindOf(proof.name));
	return proof?.name ?? rejection;
}
