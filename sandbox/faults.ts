export const faultEndpoints = ['create', 'update', 'validate', 'register', 'any'] as const;
export type FaultEndpoint = (typeof faultEndpoints)[number];

/** The troubles there are, with what they do in words for people. */
export const faultKinds = {
	latency: 'late response',
	tooManyRequests: 'HTTP 429',
	serverError: 'HTTP 500, or another status',
	html: 'a web page instead of JSON',
	emptyBody: 'an empty response',
	brokenJson: 'incomplete JSON',
	notAnObject: 'JSON that is not an object',
	wrongCode: 'a response code other than "00"',
	numericCode: 'the number 0 as responseCode',
	missingCode: 'no responseCode',
	cutBeforeStoring: 'connection cut before the request is processed',
	cutAfterStoring: 'connection cut after the request is processed',
	hang: 'no response at all',
	slowBody: 'a slow, trickling response',
} as const;
export type FaultKind = keyof typeof faultKinds;

/**
 * A trouble that the service makes on purpose. Without `rate` and `nth` every request of the
 * endpoint meets it.
 */
export interface FaultRule {
	endpoint: FaultEndpoint;
	kind: FaultKind;
	/** Share of the requests, 0 to 1. */
	rate?: number;
	/** Which requests, counted from 1 since the rule was set: `[400]` is the 400th. */
	nth?: number[];
	/** How often at most. */
	times?: number;
	/**
	 * Whether the service does its work all the same, such as storing the page, before the trouble
	 * (default false). `cutBeforeStoring` never does; kinds that alter the real answer always do.
	 */
	stored?: boolean;
	/** Length of `latency` (default 1,000) and of `slowBody` (default 1,000). */
	milliseconds?: number;
	/** Added to `latency` at random, from 0 to this. */
	jitterMilliseconds?: number;
	/** HTTP status of `serverError` (default 500), `html` and `emptyBody` (default 200). */
	status?: number;
	/** Sends `Retry-After` with `tooManyRequests` and `serverError`. */
	retryAfterSeconds?: number;
	/** Writes `Retry-After` as seconds (default) or as an HTTP date. */
	retryAfterAs?: 'seconds' | 'date';
	/** `responseCode` of `wrongCode` (default "96"). */
	code?: string;
	/** `responseMessage` of `wrongCode`, `tooManyRequests` and `serverError`. */
	message?: string;
}

/** What one request meets: waits in milliseconds, and at most one other trouble. */
export interface Faults {
	waitBefore: number;
	/** After the work is done. */
	waitAfter: number;
	trouble: FaultRule | null;
	/** The kinds that apply, for the records; null when none does. */
	kinds: string | null;
}

/** Mulberry32, a small generator that gives the same numbers (0 to 1) for the same seed. */
function seededRandom(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** The rules with their counters; a new plan starts counting and drawing anew. */
export class FaultPlan {
	readonly entries: { rule: FaultRule; seen: number; made: number }[];
	private readonly random: () => number;

	constructor(rules: FaultRule[], seed: number) {
		this.entries = rules.map((rule) => ({ rule, seen: 0, made: 0 }));
		this.random = seededRandom(seed);
	}

	/** Decides what the next request of an endpoint meets. */
	next(endpoint: Exclude<FaultEndpoint, 'any'>): Faults {
		const faults: Faults = { waitBefore: 0, waitAfter: 0, trouble: null, kinds: null };
		for (const entry of this.entries) {
			const { rule } = entry;
			if (rule.endpoint !== endpoint && rule.endpoint !== 'any') continue;
			entry.seen++;
			if (!this.applies(rule, entry.seen) || entry.made >= (rule.times ?? Infinity)) continue;
			if (rule.kind !== 'latency' && faults.trouble) continue;
			entry.made++;
			faults.kinds = faults.kinds ? `${faults.kinds}, ${rule.kind}` : rule.kind;
			if (rule.kind !== 'latency') {
				faults.trouble = rule;
				continue;
			}
			const jitter = this.random() * (rule.jitterMilliseconds ?? 0);
			faults[rule.stored ? 'waitAfter' : 'waitBefore'] += (rule.milliseconds ?? 1000) + jitter;
		}
		return faults;
	}

	private applies({ rate, nth }: FaultRule, count: number): boolean {
		// Drawn even when `nth` decides, so that adding `nth` to a rule shifts no other rule's luck.
		const drawn = rate === undefined || this.random() < rate;
		if (nth?.includes(count)) return true;
		return drawn && (nth === undefined || rate !== undefined);
	}
}
