import { createHmac, timingSafeEqual } from 'crypto';

/** Headers as Node.js gives them: names in lower case; equal names joined by commas, or a list. */
export type Headers = Record<string, string | string[] | undefined>;

/** A text in a header that may be a proof. */
export interface Candidate {
	header: string;
	text: string;
}

/** A signature that is right. */
export interface SignatureProof {
	/** All that says how it was made; `requiredProof` takes this text. */
	name: string;
	/** Milliseconds since 1970; undefined when no time was signed. */
	time: number | undefined;
}

/** Compares in constant time; only the length, which is no secret, is looked at first. */
export function equals(candidate: string, expected: string): boolean {
	const left = Buffer.from(candidate, 'utf8');
	const right = Buffer.from(expected, 'utf8');
	return left.length === right.length && timingSafeEqual(left, right);
}

/** All values of all headers. */
export function valuesOf(headers: Headers): Candidate[] {
	return Object.entries(headers).flatMap(([header, values = []]) =>
		[values].flat().map((text) => ({ header, text })),
	);
}

/** A prefix such as `sha256=` or `v1=` in front of a signature. */
const prefix = /^[\w-]{1,20}[=:](?=.)/;

function withoutQuotes(text: string): string {
	return text.slice(text.startsWith('"') ? 1 : 0, text.endsWith('"') ? -1 : undefined);
}

/**
 * Everything in a header that may be the secret or a signature: the value itself, its parts between
 * blanks, commas and semicolons, and these without quotes or a prefix.
 */
export function candidatesIn(value: string): string[] {
	const whole = value.trim();
	const parts = whole.split(/[\s,;]+/).map(withoutQuotes);
	const bare = parts.map((part) => withoutQuotes(part.replace(prefix, '')));
	return [...new Set([whole, ...parts, ...bare])].filter((text) => text !== '');
}

/** The forms of a digest, the strongest first; no two of them have the same length. */
const forms = [
	{ algorithm: 'sha512', encoding: 'hex', pattern: /^[0-9a-f]{128}$/i },
	{ algorithm: 'sha512', encoding: 'base64', pattern: /^[A-Za-z0-9+/]{86}==$/ },
	{ algorithm: 'sha256', encoding: 'hex', pattern: /^[0-9a-f]{64}$/i },
	{ algorithm: 'sha256', encoding: 'base64', pattern: /^[A-Za-z0-9+/]{43}=$/ },
	{ algorithm: 'sha1', encoding: 'hex', pattern: /^[0-9a-f]{40}$/i },
	{ algorithm: 'sha1', encoding: 'base64', pattern: /^[A-Za-z0-9+/]{27}=$/ },
] as const;

const algorithms = ['sha512', 'sha256', 'sha1'] as const;

type Form = (typeof forms)[number];

/** The form in which a text may be a digest. */
export function formOf(text: string): Form | undefined {
	return forms.find(({ pattern }) => pattern.test(text));
}

/** What may be signed: the body, or something in front of it. */
interface Content {
	/** As it stands in the name of the proof. */
	name: string;
	/** In front of the body. */
	head: string;
	/** Milliseconds since 1970. */
	time?: number;
	/** Whether the secret may be written as Standard Webhooks does. */
	isStandard?: boolean;
}

/** Numbers above this are milliseconds: as seconds they would be in the year 5138. */
const largestSeconds = 1e11;

/** Times in a header, as the text that was signed: the whole value, or behind `t=`. */
function timesIn(value: string): string[] {
	// Most headers hold none, and need no closer look.
	if (!/\d{9}/.test(value)) return [];
	const parts = value.split(/[\s,;]+/).map((part) => part.replace(/^t=/, ''));
	return parts.filter((part) => /^\d{9,14}$/.test(part));
}

/** For each one a digest is computed: more of them would be a way to make forgeries costly. */
const maxTimes = 3;

/** What may be signed; of the times, those closest to now. */
function contentsOf(headers: Headers, required: string, now: number): Content[] {
	const isWanted = ({ name }: Content) => required === '' || required.endsWith(` ${name}`);
	const timed = valuesOf(headers).flatMap(({ header, text }): Content[] =>
		timesIn(text).flatMap((timestamp) => {
			const value = Number(timestamp);
			const time = value > largestSeconds ? value : value * 1000;
			const plain = {
				name: `timestamp.body timestamp:${header}`,
				head: `${timestamp}.`,
				time,
			};
			const idHeader = header.replace(/-timestamp$/, '-id');
			const id = idHeader === header ? undefined : headers[idHeader];
			if (typeof id !== 'string' || id === '') return [plain];
			const name = `id.timestamp.body id:${idHeader} timestamp:${header}`;
			return [plain, { name, head: `${id}.${timestamp}.`, time, isStandard: true }];
		}),
	);
	const distance = ({ time = now }: Content) => Math.abs(now - time);
	const closest = timed.filter(isWanted).sort((left, right) => distance(left) - distance(right));
	const few = [false, true].flatMap((isStandard) =>
		closest.filter((content) => (content.isStandard === true) === isStandard).slice(0, maxTimes),
	);
	return [{ name: 'body', head: '' }].filter(isWanted).concat(few);
}

const standardPrefix = 'whsec_';

/** Bytes. Whoever sees one signed event can try out all keys that are shorter. */
const minKeyLength = 8;

/** The keys that a secret may stand for (Standard Webhooks: Base64 behind a prefix). */
function hmacKeys(secret: string, { isStandard }: Content): Array<string | Buffer> {
	if (isStandard !== true || !secret.startsWith(standardPrefix)) return [secret];
	const key = Buffer.from(secret.slice(standardPrefix.length), 'base64');
	return key.length < minKeyLength ? [secret] : [secret, key];
}

/** Bytes; of larger bodies one algorithm alone is computed, unless another one is required. */
const largeBody = 1_000_000;

/**
 * Finds a signature that is right, the strongest algorithm first, and a time in it closest to now. A
 * digest is computed only for an algorithm of which there is one, so that forgeries are cheap.
 *
 * @param secrets none of them empty
 * @param required name of the only signature that counts; '' for any
 * @param now milliseconds of the clock
 */
export function findSignature(
	headers: Headers,
	candidates: readonly Candidate[],
	rawBody: Buffer,
	secrets: readonly string[],
	required: string,
	now: number,
): SignatureProof | undefined {
	const signatures = candidates.flatMap((candidate) => {
		const form = formOf(candidate.text);
		return form === undefined ? [] : [{ ...candidate, form }];
	});
	if (signatures.length === 0) return undefined;
	const contents = contentsOf(headers, required, now);
	const isLarge = rawBody.length > largeBody && required === '';
	for (const algorithm of isLarge ? (['sha256'] as const) : algorithms) {
		for (const content of contents) {
			const named = signatures
				.filter(({ form }) => form.algorithm === algorithm)
				.map(({ header, text, form: { encoding } }) => ({
					text: encoding === 'hex' ? text.toLowerCase() : text,
					encoding,
					name: `signature header:${header} ${algorithm} ${encoding} ${content.name}`,
				}))
				.filter(({ name }) => required === '' || name === required);
			if (named.length === 0) continue;
			for (const key of secrets.flatMap((secret) => hmacKeys(secret, content))) {
				const digest = createHmac(algorithm, key).update(content.head).update(rawBody).digest();
				const right = named.find(({ text, encoding }) => equals(text, digest.toString(encoding)));
				if (right !== undefined) return { name: right.name, time: content.time };
			}
		}
	}
	return undefined;
}
