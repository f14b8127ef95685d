import type { ExactNumber } from '../fields/exactJson';
import { isRecord } from '../fields/isRecord';
import { type Envelope, type ServiceRequest, paths } from './api';

/** Register webhook URL (interface, "Register webhook URL"): the later registration wins. */
export function registrationRequest(
	webhookUrl: string,
	merchantId: ExactNumber,
	secret: string,
): ServiceRequest {
	return { method: 'POST', path: paths.registerWebhook, body: { webhookUrl, merchantId, secret } };
}

/** The address as the service registered it; how it changes it (a slash at the end) is not shown. */
export function echoedUrl(envelope: Envelope): string | undefined {
	const url = isRecord(envelope.data) ? envelope.data.webhookUrl : undefined;
	return typeof url === 'string' && url !== '' ? url : undefined;
}
