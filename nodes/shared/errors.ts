/** A value that can't be right, rejected before anything is sent. It never repeats a key or a secret. */
export class InvalidFieldError extends Error {
	override readonly name = 'InvalidFieldError';

	constructor(
		readonly field: string,
		problem: string,
		readonly advice: string,
	) {
		super(`${field} ${problem}`);
	}
}

function textOf(value: unknown): string {
	if (typeof value === 'object') return JSON.stringify(value);
	const isPlain = typeof value === 'string' || typeof value === 'boolean';
	// JSON has no NaN and no Infinity.
	return isPlain || typeof value === 'number' ? String(value) : typeof value;
}

function shortened(text: string, length: number): string {
	const characters = Array.from(text);
	return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}

/** Shows a value, shortened, so that the person recognizes it. */
export function excerpt(value: unknown): string {
	return `"${shortened(textOf(value), 60)}"`;
}

/** The service's words, which are untrusted text, fit to be shown: one line, bounded; '' for none. */
export function serviceText(value: unknown): string {
	if (typeof value !== 'string') return '';
	return shortened(value.replace(/[\s\p{Control}]+/gu, ' ').trim(), 300);
}

/** What is known about a request that did not succeed. */
export type ServiceErrorKind =
	| 'notSent' // no connection came about: the service surely did nothing
	| 'busy' // the service has no time at the moment (429, 503) and did nothing
	| 'answerLost' // the request may have been carried out; its response did not arrive
	| 'unreadable' // the request may have been carried out; its response does not tell
	| 'canceled' // the user or n8n stopped the execution
	| 'rejected'; // nothing was done, and another try would end the same way

interface Details {
	kind: ServiceErrorKind;
	statusCode?: number; // of the response, when there was one, and the service's own code in it
	responseCode?: string;
	retryAfter?: number; // how long the service asks to wait, in milliseconds
}

/** A request that did not succeed. Neither text contains a key or a page's source. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	constructor(
		message: string,
		readonly advice: string,
		readonly details: Details,
	) {
		super(message);
	}

	withAdvice(advice: string): ServiceError {
		return new ServiceError(this.message, advice, this.details);
	}
}

/** @throws an error that is not the failure of a request */
export function failureOf(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

/** Whether the service may have done what was asked although the request did not succeed. */
export function isInDoubt({ details }: ServiceError): boolean {
	return details.kind === 'answerLost' || details.kind === 'unreadable';
}

/** Says so, for a request that changes something. */
export function withDoubt(error: ServiceError): ServiceError {
	return error.withAdvice(`${error.advice} The request may still have been processed.`);
}
