import type { FaultRule, RecordedRequest } from '../sandbox';

/** Troubles of the service for the tests of all kinds, with the words of the node about them. */

export type Fault = Omit<FaultRule, 'endpoint'>;

export type FaultCase = [name: string, fault: Fault, message: string];

/** The service did its work (or not), and its answer does not tell. */
const lost: FaultCase[] = [
	[
		'server error',
		{ kind: 'serverError' },
		'The service could not process the request (HTTP 500): Internal server error (code "96")',
	],
	[
		'web page of a gateway',
		{ kind: 'html', status: 502 },
		'The service could not process the request (HTTP 502)',
	],
	[
		'unavailable',
		{ kind: 'serverError', status: 503, message: 'Maintenance' },
		'The service could not process the request (HTTP 503): Maintenance (code "96")',
	],
	[
		'gateway timeout',
		{ kind: 'serverError', status: 504 },
		'The service took too long to respond (HTTP 504): Internal server error (code "96")',
	],
	['no answer', { kind: 'hang' }, 'The service did not respond in time'],
];

const notOfThisInterface = 'The service returned a response that is not one of this interface';

/** The answer came, and does not tell either. */
const unreadable: FaultCase[] = [
	['web page', { kind: 'html' }, 'The service returned a web page instead of data'],
	['empty body', { kind: 'emptyBody' }, 'The service returned an empty response'],
	['invalid JSON', { kind: 'brokenJson' }, 'The service returned invalid JSON'],
	['no object', { kind: 'notAnObject' }, notOfThisInterface],
];

const broken = 'The connection to the service was lost before the response was complete';

export const cutBefore: FaultCase = ['cut before storing', { kind: 'cutBeforeStoring' }, broken];

export const cutAfter: FaultCase = ['cut after storing', { kind: 'cutAfterStoring' }, broken];

/** The service did its work, and answered so that this is not certain. */
const unclearCode: FaultCase[] = [
	['numeric code', { kind: 'numericCode' }, notOfThisInterface],
	['no code', { kind: 'missingCode' }, notOfThisInterface],
];

export const refused: FaultCase = [
	'another code',
	{ kind: 'wrongCode', code: '91', message: 'Try tomorrow' },
	'The service rejected the request: Try tomorrow (code "91")',
];

/** The service did nothing, and says so. */
export const busy: FaultCase[] = [
	[
		'too many requests',
		{ kind: 'tooManyRequests' },
		'The service is receiving too many requests (HTTP 429): Too many requests (code "96")',
	],
	[
		'too many requests, with Retry-After',
		{ kind: 'tooManyRequests', retryAfterSeconds: 0 },
		'The service is receiving too many requests (HTTP 429): Too many requests (code "96")',
	],
	[
		'unavailable, with Retry-After',
		{ kind: 'serverError', status: 503, retryAfterSeconds: 0 },
		'The service could not process the request (HTTP 503): Internal server error (code "96")',
	],
];

/** May be sent again where doing it twice is the same as doing it once. */
export const repeatable: FaultCase[] = [...lost, cutBefore, cutAfter, ...busy];

/** Sending it again would end the same way, or could do harm. */
export const final: FaultCase[] = [...unreadable, ...unclearCode, refused];

/** What leaves it open whether a page was created: here it was not, */
export const notStored: FaultCase[] = [...lost, ...unreadable, cutBefore];

/** and here it was. */
export const stored: FaultCase[] = [
	...[...lost, ...unreadable].map<FaultCase>(([name, fault, message]) => [
		`${name}, after storing`,
		{ ...fault, stored: true },
		message,
	]),
	cutAfter,
	...unclearCode,
];

/** The answer is right, and comes late. */
export const slow: Array<[name: string, fault: Fault]> = [
	['late', { kind: 'latency', milliseconds: 300 }],
	['late, after storing', { kind: 'latency', milliseconds: 300, stored: true }],
	['trickling', { kind: 'slowBody', milliseconds: 300 }],
];

/** The endpoint that tells whether a page exists, as it stands in the path of a request. */
export const question = 'ValidatePaymentPageLinkRefernce';

export function endpointOf({ url }: RecordedRequest): string | undefined {
	return /^\/api\/\w+\/(\w+)/.exec(url)?.[1];
}
