import { timingSafeEqual } from 'crypto';

/** Compares in constant time; only the length, which is no secret, is looked at first. */
export function equals(candidate: string, expected: string): boolean {
	if (candidate.length !== expected.length) return false;
	const left = Buffer.from(candidate, 'utf8');
	const right = Buffer.from(expected, 'utf8');
	return left.length === right.length && timingSafeEqual(left, right);
}
