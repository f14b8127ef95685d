import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { FaultRule, SandboxSettings } from './settings';

export type Endpoint = Exclude<FaultRule['endpoint'], 'any'>;

/** What one request meets: waits in milliseconds, and at most one other fault. */
interface Faults {
	waitBefore: number;
	waitAfter: number; // after the work is done
	trouble: FaultRule | null;
	kinds: string | null; // the kinds that apply, for the records; null when none does
}

/** The rules with their counters; a new plan starts counting and drawing from the beginning. */
export class FaultPlan {
	/** Requests that a rule has seen, and faults that it has made. */
	readonly entries: { rule: FaultRule; seen: number; made: number }[];
	private readonly generator;

	constructor({ faults, seed }: SandboxSettings) {
		this.entries = faults.map((rule) => ({ rule, seen: 0, made: 0 }));
		this.generator = xoroshiro128plus(seed);
	}

	/** Decides what the next request of an endpoint meets. */
	next(endpoint: Endpoint): Faults {
		const faults: Faults = { waitBefore: 0, waitAfter: 0, trouble: null, kinds: null };
		for (const entry of this.entries) {
			const { rule } = entry;
			if (rule.endpoint !== endpoint && rule.endpoint !== 'any') continue;
			entry.seen++;
			if (!this.applies(rule, entry.seen) || entry.made >= (rule.times ?? Infinity)) continue;
			if (rule.kind !== 'latency' && faults.trouble) continue;
			entry.made++;
			faults.kinds = faults.kinds ? `${faults.kinds}, ${rule.kind}` : rule.kind;
			if (rule.kind === 'latency') {
				const jitter = uniformFloat64(this.generator) * (rule.jitterMilliseconds ?? 0);
				faults[rule.stored ? 'waitAfter' : 'waitBefore'] += (rule.milliseconds ?? 1000) + jitter;
			} else faults.trouble = rule;
		}
		return faults;
	}

	private applies({ rate, nth }: FaultRule, count: number): boolean {
		// Drawn even when `nth` decides, so that adding `nth` to a rule shifts no other rule's luck.
		const drawn = rate === undefined || uniformFloat64(this.generator) < rate;
		if (nth?.includes(count)) return true;
		return drawn && (nth === undefined || rate !== undefined);
	}
}

/** A bad day of the service: 5% of the creates and of the questions fail, each in another way. */
export const mixedFaults: FaultRule[] = [
	{ endpoint: 'create', kind: 'cutAfterStoring', rate: 0.006 },
	{ endpoint: 'create', kind: 'cutBeforeStoring', rate: 0.006 },
	{ endpoint: 'create', kind: 'serverError', rate: 0.006 },
	{ endpoint: 'create', kind: 'serverError', stored: true, rate: 0.006 },
	{ endpoint: 'create', kind: 'html', stored: true, rate: 0.004 },
	{ endpoint: 'create', kind: 'emptyBody', rate: 0.004 },
	{ endpoint: 'create', kind: 'missingCode', rate: 0.004 },
	{ endpoint: 'create', kind: 'wrongCode', rate: 0.004 },
	{ endpoint: 'create', kind: 'tooManyRequests', retryAfterSeconds: 0, rate: 0.005 },
	{ endpoint: 'create', kind: 'serverError', status: 503, retryAfterSeconds: 0, rate: 0.005 },
	{ endpoint: 'validate', kind: 'serverError', rate: 0.02 },
	{ endpoint: 'validate', kind: 'cutBeforeStoring', rate: 0.01 },
	{ endpoint: 'validate', kind: 'brokenJson', rate: 0.01 },
	{ endpoint: 'validate', kind: 'tooManyRequests', retryAfterSeconds: 0, rate: 0.01 },
];
