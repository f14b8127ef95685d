import { eventBody } from '../shared/event';

const forgeries = ['wrong signature', 'no proof', 'signature over another body'] as const;

export type Forgery = (typeof forgeries)[number];

/** One event of a flood. */
export interface FloodEvent {
	/** Found in no other event, and in the execution that the event starts. */
	id: string;
	/** Why it must start nothing; left out for a genuine one. */
	forgery?: Forgery;
}

/** How an id looks, for JavaScript and PostgreSQL alike. */
export const idPattern = 'evt_[0-9]{24}';

/** One in so many events is forged. */
const forgedEvery = 10;

/**
 * The events with the numbers from `first` on.
 *
 * @param forged whether some of them are forged, in one way after the other
 */
export function floodEvents(first: number, count: number, forged: boolean): FloodEvent[] {
	return Array.from({ length: count }, (_, index) => {
		const number = first + index;
		const id = `evt_${String(number).padStart(24, '0')}`;
		const isForged = forged && number % forgedEvery === forgedEvery - 1;
		const forgery = forgeries[Math.floor(number / forgedEvery) % forgeries.length];
		return { id, ...(isForged && { forgery }) };
	});
}

/** What is sent for an event: the usual event with this id. */
export function bodyOf(id: string): string {
	return eventBody.replace(new RegExp(idPattern), id);
}
