/**
 * An error whose message is written for the person at the terminal: it says what is wrong and what
 * to do, so it is printed alone, without a stack.
 */
export class PlainError extends Error {
	override name = 'PlainError';
}
