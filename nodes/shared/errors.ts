/**
 * A value that cannot be right, refused before anything is sent.
 *
 * It names the field as the person sees it, and never repeats the value of a key or a secret.
 */
export class InvalidFieldError extends Error {
	override readonly name = 'InvalidFieldError';

	/** @param advice what to do about it, in one sentence */
	constructor(
		readonly field: string,
		problem: string,
		readonly advice: string,
	) {
		super(`${field} ${problem}`);
	}
}

function textOf(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return value;
		case 'number': // JSON has no NaN and no Infinity.
		case 'boolean':
			return String(value);
		case 'object':
			return JSON.stringify(value);
		default:
			return typeof value;
	}
}

const maxExcerptLength = 60;

/** Shows a refused value, shortened, so that the person recognises it. */
export function excerpt(value: unknown): string {
	const characters = Array.from(textOf(value));
	const short = characters.slice(0, maxExcerptLength).join('');
	return `"${short}${characters.length > maxExcerptLength ? '…' : ''}"`;
}

const maxTextLength = 300;

/**
 * The service's words, fit to be shown: one line, bounded. They are untrusted text.
 *
 * @returns '' when there are none
 */
export function serviceText(value: unknown): string {
	if (typeof value !== 'string') return '';
	const oneLine = value.replace(/[\s\p{Control}]+/gu, ' ').trim();
	const characters = Array.from(oneLine);
	if (characters.length <= maxTextLength) return oneLine;
	return `${characters.slice(0, maxTextLength).join('')}…`;
}

/** What is known about a request that did not succeed. */
export type ServiceErrorKind =
	/** No connection came about: the service surely did nothing. Another try may help. */
	| 'notSent'
	/** The service has no time at the moment (429, 503) and did nothing. Another try may help. */
	| 'busy'
	/** The request may have been carried out; its response did not arrive. Another try may help. */
	| 'answerLost'
	/** The request may have been carried out; the response that arrived does not tell. */
	| 'unreadable'
	/** The user or n8n stopped the execution. */
	| 'canceled'
	/** Nothing was done, and another try would end the same way. */
	| 'rejected';

interface Details {
	kind: ServiceErrorKind;
	/** HTTP status, when there was a response. */
	statusCode?: number;
	/** The service's own code, when it sent one. */
	responseCode?: string;
	/** How long the service asks to wait, in milliseconds. */
	retryAfter?: number;
}

/**
 * A request that did not succeed: what happened, and advice that holds for every request. Whoever knows
 * the operation may know better advice (`withAdvice`). Neither text contains a key or a page's source.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	constructor(
		message: string,
		/** What to do next. */
		readonly advice: string,
		readonly details: Details,
	) {
		super(message);
	}

	withAdvice(advice: string): ServiceError {
		return new ServiceError(this.message, advice, this.details);
	}
}

/**
 * What went wrong with a request.
 *
 * @throws whatever is no failure of a request
 */
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
