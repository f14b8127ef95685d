import type * as Crypto from 'node:crypto';

import { anyProof, keysOf, timestamp } from './vectors';
import { verify } from '../../../nodes/PaymentPageTrigger/verification/verify';

/** The module itself: an import would be a copy, which nobody else calls. */
const crypto = jest.requireActual<typeof Crypto>('crypto');

/** How many digests of the body an event may cost: a timing would depend on the machine. */
function digestsOf(
	headers: Record<string, string | string[]>,
	bytes: number,
	secrets = ['secret-8'],
) {
	const spy = jest.spyOn(crypto, 'createHmac');
	try {
		const received = { headers, tokens: [], rawBody: Buffer.alloc(bytes) };
		verify(received, secrets.map(keysOf), anyProof, Number(timestamp) * 1000);
		return spy.mock.calls.map(([algorithm]) => algorithm);
	} finally {
		spy.mockRestore();
	}
}

/** As costly as a forger can make it: digests of every form, and times and IDs without end. */
const costly: Record<string, string | string[]> = {
	'x-many': ['0'.repeat(128), '0'.repeat(64), '0'.repeat(40)],
};
for (let index = 0; index < 200; index++) {
	costly[`x-${index}-timestamp`] = String(Number(timestamp) + index);
	costly[`x-${index}-id`] = `msg_${index}`;
}

test('a small forgery costs a few digests, however many headers it has', () => {
	expect(digestsOf(costly, 2_000)).toHaveLength(3 * 7);
});

test('a large one costs digests of one algorithm alone', () => {
	const algorithms = digestsOf(costly, 16_000_000);
	expect(new Set(algorithms)).toEqual(new Set(['sha256']));
	expect(algorithms).toHaveLength(7);
});

test('one without anything in the form of a digest costs none', () => {
	expect(digestsOf({ 'x-a': 'secret', 'x-timestamp': timestamp }, 2_000)).toEqual([]);
});
