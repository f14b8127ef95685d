import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { isBlank, toPathSegment } from '../../nodes/shared/values';
import { InvalidFieldError } from '../../nodes/shared/errors';
import { comparisonKey, deriveReference } from '../../nodes/PaymentPage/fields/reference';

const parts = ['.', '/', '\\', '%', '%2e', '%2F', '%25', '?', '#', ';', '@', ' ', 'é', '．'];
const anyText = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.string({ unit: 'binary' }),
	fc.string({ unit: fc.constantFrom(...parts) }),
);

describe('toPathSegment', () => {
	test('rejects what a server could take for a folder, and half of a character', () => {
		for (const folder of ['.', ' .. ', '%2E%2e', '.%2e', '%25252e.', '%%32%65', '．', '‥', '%2e\t'])
			expect(() => toPathSegment(folder)).toThrow(/must not be/);
		for (const half of ['\ud83d', 'a\udc00b'])
			expect(() => toPathSegment(half)).toThrow(/middle of a character/);
	});

	const dots = fc.string({ unit: fc.constantFrom('.', '%2e', '%252E', '%', '25', ' ') });

	test('is one segment of an address, whatever the text, and leads back to it', () => {
		fc.assert(
			fc.property(fc.oneof(anyText, dots), (reference) => {
				let segment: string;
				try {
					segment = toPathSegment(reference);
				} catch (error) {
					expect(error).toBeInstanceOf(InvalidFieldError);
					return;
				}
				const { pathname, search, hash } = new URL(`https://host.example/a/b/${segment}`);
				expect([pathname, search, hash]).toEqual([`/a/b/${segment}`, '', '']);
				expect(decodeURIComponent(segment)).toBe(reference);
				// Also when a careless proxy decodes it once or twice.
				for (const path of [reference, reference.replace(/%25/g, '%')]) {
					if (/[^. \d]/.test(path.replace(/%2e/gi, ''))) continue;
					expect(new URL(path, 'https://host.example/a/b/').pathname).toMatch(/^\/a\/b\//);
				}
			}),
			{ numRuns: 4000 },
		);
	});

	test('comes to an end with a long text', () => {
		for (const reference of ['%25'.repeat(100_000), '%'.repeat(300_000)])
			expect(decodeURIComponent(toPathSegment(reference))).toBe(reference);
	});
});

describe('deriveReference', () => {
	const fingerprint = (name: string) =>
		createHash('sha256').update(name).digest('hex').slice(0, 10);

	test.each([
		["  Zoë's Façade & Sons  ", 'zoes-facade-sons'],
		['Søren Łukasz ß Æ', 'soren-lukasz-ss-ae'],
		['Call ℡', 'call-tel'],
		['A/B\\C?D#E%F', `a-b-c-d-e-f-${fingerprint('a/b\\c?d#e%f')}`],
		['..', fingerprint('..')],
		[' \t\n', ''],
		['„Rechnung“ ‚17‘', 'rechnung-17'],
		['O‘Brien OʼNeill', 'obrien-oneill'],
		['An\u200bna\u00ad', 'anna'],
		['C#', `c-${fingerprint('c#')}`],
		['北京 Office', `office-${fingerprint('北京 office')}`],
	])('%j becomes %j', (name, reference) => {
		expect(deriveReference(name)).toBe(reference);
	});

	test('is ASCII, fit for an address, and derives to itself', () => {
		fc.assert(
			fc.property(anyText, (name) => {
				const reference = deriveReference(name);
				expect(reference).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
				expect(reference === '').toBe(isBlank(name));
				for (const same of [reference, name.normalize('NFD'), name.normalize('NFC')])
					expect(deriveReference(same)).toBe(reference);
				expect(toPathSegment(reference)).toBe(reference);
			}),
			{ numRuns: 2000 },
		);
	});

	const words = fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 5 });

	test('keeps common punctuation out, and needs no fingerprint for it', () => {
		const punctuation = Array.from(' -–—‒―−"“”„«»‹›!?¡¿;:,.…()[]{}/&|_•·');
		const signs = fc.string({ unit: fc.constantFrom(...punctuation), maxLength: 4 });
		const between = fc.array(signs, { minLength: 6, maxLength: 6 });
		fc.assert(
			fc.property(words, between, (parts, [last, ...first]) => {
				const name = parts.map((part, index) => ` ${first[index]}${part}`).join('');
				expect(deriveReference(`${name} ${last}`)).toBe(parts.join('-'));
			}),
			{ numRuns: 2000 },
		);
	});

	test('keeps names apart that differ only in a sign that tells names apart, or is lost', () => {
		const sign = fc.constantFrom(...Array.from('+#%@*=<>~^$€£°§†‰©®×÷\\🧾🙂北京'), 'कि', 'का');
		fc.assert(
			fc.property(words, sign, sign, (parts, first, second) => {
				const names = ['', first, second, first + first].map((end) => parts.join(' ') + end);
				expect(new Set(names.map(deriveReference)).size).toBe(first === second ? 3 : 4);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('the key by which references are compared', () => {
	test('is the same in any case, composition and with any blanks', () => {
		const letters = fc.constantFrom(...Array.from('abzäßéÅñçøİıΣςЖй北ひプ7-_./%'));
		const blanks = fc.constantFrom(...Array.from(' \t\n\u00a0\u200b\ufeff\u2009\u00ad'));
		fc.assert(
			fc.property(fc.string({ unit: letters }), blanks, fc.nat(20), (reference, blank, at) => {
				for (const variant of [
					reference.toUpperCase(),
					reference.normalize('NFD'),
					reference.normalize('NFC'),
					`${blank}${reference.slice(0, at)}${blank}${reference.slice(at)}${blank}`,
				])
					expect(comparisonKey(variant)).toBe(comparisonKey(reference));
			}),
		);
	});

	test.each([
		['Straße', 'STRASSE', true],
		['ＡＢＣ１', 'abc1', true],
		['ﬁn', 'FIN', true],
		['a-1', 'a1', false],
		['a/b', 'a:b', false],
		['कि', 'की', false],
		['ใบ', 'บ', false],
	])('of %j and %j is the same: %j', (first, second, isSame) => {
		expect(comparisonKey(first) === comparisonKey(second)).toBe(isSame);
	});
});
