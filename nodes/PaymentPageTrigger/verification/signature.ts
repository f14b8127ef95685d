import { createHmac, timingSafeEqual } from 'crypto';

/** Headers as Node.js gives them: names in lower case; equal names joined by commas, or a list. */
export type Headers = Record<string, string | string[] | undefined>;

/** A text in a header, which may be a proof. */
export type Candidate = Record<'header' | 'text', string>;

/** Compares in constant time; only the length, which is no secret, is looked at first. */
export function equals(candidate: string, expected: string): boolean {
	const left = Buffer.from(candidate, 'utf8');
	const right = Buffer.from(expected, 'utf8');
	return left.length === right.length && timingSafeEqual(left, right);
}

export function valuesOf(headers: Headers): Candidate[] {
	return Object.entries(headers).flatMap(([header, values = []]) =>
		[values].flat().map((text) => ({ header, text })),
	);
}

const withoutQuotes = (text: string) => text.replace(/^"|"$/g, '');

/**
 * Everything in a header that may be the secret or a signature: the value itself, its parts between
 * blanks, commas and semicolons, and these without quotes or a prefix.
 */
export function candidatesIn(value: string): string[] {
	const whole = value.trim();
	const parts = whole.split(/[\s,;]+/).map(withoutQuotes);
	// In front of a signature may stand `sha256=` or `v1=`, say.
	const bare = parts.map((part) => withoutQuotes(part.replace(/^[\w-]{1,20}[=:](?=.)/, '')));
	return [...new Set([whole, ...parts, ...bare])].filter((text) => text !== '');
}

const algorithms = ['sha512', 'sha256', 'sha1'] as const;

/** The forms of a digest; no two of them have the same length. */
const forms = [
	{ algorithm: 'sha512', encoding: 'hex', pattern: /^[0-9a-f]{128}$/i },
	{ algorithm: 'sha512', encoding: 'base64', pattern: /^[A-Za-z0-9+/]{86}==$/ },
	{ algorithm: 'sha256', encoding: 'hex', pattern: /^[0-9a-f]{64}$/i },
	{ algorithm: 'sha256', encoding: 'base64', pattern: /^[A-Za-z0-9+/]{43}=$/ },
	{ algorithm: 'sha1', encoding: 'hex', pattern: /^[0-9a-f]{40}$/i },
	{ algorithm: 'sha1', encoding: 'base64', pattern: /^[A-Za-z0-9+/]{27}=$/ },
] as const;

/** The form in which a text may be a digest. */
export function formOf(text: string): (typeof forms)[number] | undefined {
	return forms.find(({ pattern }) => pattern.test(text));
}

/** What may be signed: the body, or something in front of it. */
interface Content {
	name: string; // as it stands in the name of the proof
	head: string; // in front of the body
	time?: number; // milliseconds since 1970
	isStandard?: boolean; // whether the secret may be written as Standard Webhooks does
}

/** Times in a header, as the text that was signed: the whole value, or behind `t=`. */
function timesIn(value: string): string[] {
	const parts = value.split(/[\s,;]+/).map((part) => part.replace(/^t=/, ''));
	return parts.filter((part) => /^\d{9,14}$/.test(part));
}

/** What may be signed; of the times, a few that are closest to now, so that forgeries stay cheap. */
function contentsOf(headers: Headers, required: string, now: number): Content[] {
	const timed = valuesOf(headers).flatMap(({ header, text }): Content[] =>
		timesIn(text).flatMap((timestamp) => {
			// As seconds, larger numbers would be in the year 5138.
			const time = Number(timestamp) * (Number(timestamp) > 1e11 ? 1 : 1000);
			const name = `timestamp.body timestamp:${header}`;
			const plain = { name, head: `${timestamp}.`, time };
			const idHeader = header.replace(/-timestamp$/, '-id');
			const id = idHeader === header ? undefined : headers[idHeader];
			if (typeof id !== 'string' || id === '') return [plain];
			const standard = `id.timestamp.body id:${idHeader} timestamp:${header}`;
			return [plain, { name: standard, head: `${id}.${timestamp}.`, time, isStandard: true }];
		}),
	);
	const isWanted = ({ name }: Content) => required === '' || required.endsWith(` ${name}`);
	const distance = ({ time = now }: Content) => Math.abs(now - time);
	const closest = timed.filter(isWanted).sort((left, right) => distance(left) - distance(right));
	return [...[{ name: 'body', head: '' }].filter(isWanted), ...closest.slice(0, 6)];
}

/** The keys that a secret may stand for (Standard Webhooks: Base64 behind `whsec_`). */
function hmacKeys(secret: string, { isStandard }: Content): Array<string | Buffer> {
	const encoded = isStandard === true ? /^whsec_(.*)$/s.exec(secret)?.[1] : undefined;
	const key = Buffer.from(encoded ?? '', 'base64');
	return key.length < 8 ? [secret] : [secret, key]; // bytes; a shorter one could be tried out
}

/**
 * Finds a signature that is right, the strongest algorithm first. A digest is computed only for an
 * algorithm of which there is one, so that forgeries stay cheap.
 *
 * @param required name of the only signature that counts; '' for any
 */
export function findSignature(
	headers: Headers,
	candidates: readonly Candidate[],
	rawBody: Buffer,
	secrets: readonly string[],
	required: string,
	now: number,
): { name: string; time: number | undefined } | undefined {
	const signatures = candidates.flatMap(({ header, text }) => {
		const form = formOf(text);
		if (form === undefined) return [];
		const { algorithm, encoding } = form;
		const name = `signature header:${header} ${algorithm} ${encoding}`;
		return [{ algorithm, encoding, name, text: encoding === 'hex' ? text.toLowerCase() : text }];
	});
	if (signatures.length === 0) return undefined;
	const contents = contentsOf(headers, required, now);
	// Of a body above 1 MB one algorithm alone is computed, unless another one is required.
	const isLarge = rawBody.length > 1_000_000 && required === '';
	for (const algorithm of isLarge ? (['sha256'] as const) : algorithms) {
		for (const content of contents) {
			const { head, name, time } = content;
			const possible = signatures
				.filter((signature) => signature.algorithm === algorithm)
				.map((signature) => ({ ...signature, name: `${signature.name} ${name}` }))
				.filter((signature) => required === '' || signature.name === required);
			if (possible.length === 0) continue;
			for (const key of secrets.flatMap((secret) => hmacKeys(secret, content))) {
				const digest = createHmac(algorithm, key).update(head).update(rawBody).digest();
				const right = possible.find(({ text, encoding }) =>
					equals(text, digest.toString(encoding)),
				);
				if (right !== undefined) return { name: right.name, time };
			}
		}
	}
	return undefined;
}
