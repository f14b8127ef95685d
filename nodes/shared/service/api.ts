import type { RequestBody } from '../fields/exactJson';

/** The service's endpoints and answers, as interface.md describes them. */

/** Paths relative to the base URL; "Refernce" is the service's own spelling. */
export const paths = {
	createPage: '/PaymentPages/Add',
	updatePage: '/PaymentPages/Update',
	validateReference: '/PaymentPages/ValidatePaymentPageLinkRefernce/',
	registerWebhook: '/WebhookRegistration/RegisterWebhook',
} as const;

/** The one code that means success (interface, "Response envelope"). */
export const successCode = '00';

/** One call of the service. */
export interface ServiceRequest {
	method: 'GET' | 'POST';
	/** Relative to the base URL, encoded. */
	path: string;
	body?: RequestBody;
}

/** What every documented answer consists of (interface, "Response envelope"). */
export interface Envelope {
	responseCode: string;
	responseMessage?: unknown;
	data?: unknown;
}

/** An answer of the service before anything was made of it. */
export interface Answer {
	statusCode: number;
	text: string;
	/** Header names in lower case. */
	headers: Record<string, string>;
	/** Who wrote it, when that was not the service, or may not have been. */
	sender?: 'proxy' | 'proxyOrService';
}
