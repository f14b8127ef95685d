import type { ExactNumber } from '../fields/exactJson';
import { isRecord } from '../fields/isRecord';
import type { Envelope, ServiceRequest } from './api';

/** Relative to the base URL (docs/interface.md, "Register webhook URL"). */
export const registerWebhookPath = '/WebhookRegistration/RegisterWebhook';

/** Register webhook URL (docs/interface.md, "Register webhook URL"): the later registration wins. */
export function registerWebhookRequest(
	webhookUrl: string,
	merchantId: ExactNumber,
	secret: string,
): ServiceRequest {
	return { method: 'POST', path: registerWebhookPath, body: { webhookUrl, merchantId, secret } };
}

/** The URL as the service registered it; how it changes it (a slash at the end) is not shown. */
export function registeredUrl({ data }: Envelope): string | undefined {
	const url = isRecord(data) ? data.webhookUrl : undefined;
	return typeof url === 'string' && url !== '' ? url : undefined;
}
