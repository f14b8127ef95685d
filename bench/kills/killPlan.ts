import { createHash } from 'node:crypto';

const parts = ['worker', 'webhook processor', 'main process', 'Redis', 'PostgreSQL'] as const;

/** A part of queue mode that is killed, or restarted, during a flood. */
export interface Kill {
	part: (typeof parts)[number];
	/** Which of two; there is only one main process, one Redis and one PostgreSQL. */
	which: 0 | 1;
	/** Happens once so many events have been begun. */
	afterEvents: number;
}

/** Later ones would find a flood that has ended. */
const beforeTheEnd = 0.8;

/** A number from 0 to below 1, always the same one for a seed and a name. */
export function drawn(seed: number, name: string): number {
	return createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() / 2 ** 32;
}

/** Each part so many times, at random moments of the flood; the same for the same seed. */
export function planKills(seed: number, events: number, times: number): Kill[] {
	const kills = Array.from({ length: times }, (_, time) =>
		parts.map((part): Kill => {
			const draw = (what: string) => drawn(seed, `${what} ${part} ${time}`);
			return {
				part,
				which: draw('which') < 0.5 ? 0 : 1,
				afterEvents: Math.floor(draw('when') * beforeTheEnd * events),
			};
		}),
	);
	return kills.flat().sort((one, other) => one.afterEvents - other.afterEvents);
}
