/** What is known about a call that did not succeed. */
export type ServiceErrorKind =
	/** No connection came about: the service surely did nothing. Another try may help. */
	| 'notSent'
	/** The service has no time at the moment (429, 503) and did nothing. Another try may help. */
	| 'busy'
	/** The request may have been carried out; its answer did not arrive. Another try may help. */
	| 'answerLost'
	/** The request may have been carried out; the answer that arrived does not tell. */
	| 'unreadable'
	/** The user or n8n stopped the execution. */
	| 'canceled'
	/** Nothing was done, and another try would end the same way. */
	| 'rejected';

interface Details {
	kind: ServiceErrorKind;
	/** HTTP status, when there was an answer. */
	statusCode?: number;
	/** The service's own code, when it sent one. */
	responseCode?: string;
	/** How long the service asks to wait, in milliseconds. */
	retryAfter?: number;
}

/** What came of a call: what was asked for, or why not. Whoever calls decides whether to throw. */
export type Outcome<Success> = Success | ServiceError;

/** @throws ServiceError when the call did not succeed */
export function orThrow<Success>(outcome: Outcome<Success>): Success {
	if (outcome instanceof ServiceError) throw outcome;
	return outcome;
}

/** A failed call, in words for the user. Message and advice hold no key and no page source. */
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
}

/** Whether the service may have done what was asked although the call did not succeed. */
export function isInDoubt({ details }: ServiceError): boolean {
	return details.kind === 'answerLost' || details.kind === 'unreadable';
}

/** Says so, for a call that changes something. */
export function withDoubt({ message, advice, details }: ServiceError): ServiceError {
	return new ServiceError(message, `${advice} The request may still have been processed.`, details);
}
