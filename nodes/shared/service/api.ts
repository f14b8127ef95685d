import type { IHttpRequestMethods } from 'n8n-workflow';

import type { RequestBody } from '../exactJson';

/** Requests to the service and its responses (docs/interface.md, "Endpoints"). */

/** The one code that means success (docs/interface.md, "Response envelope"). */
export const successCode = '00';

/** One request to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Relative to the base URL, encoded. */
	path: string;
	body?: RequestBody;
}

/** What every documented response consists of (docs/interface.md, "Response envelope"). */
export interface Envelope {
	responseCode: string;
	responseMessage?: unknown;
	data?: unknown;
}

/** A response as it came. */
export interface ServiceResponse {
	statusCode: number;
	text: string;
	/** Header names in lower case. */
	headers: Record<string, string>;
	/** Who wrote it, when that was not the service, or may not have been. */
	sender?: 'proxy' | 'proxyOrService';
}
