import type { Sandbox } from '../sandbox';
import { type Envelope, errorCodes, ServiceError, success } from './envelope';
import { readFields, registerFields, requireMerchant } from './fields';

/**
 * The interface's sample echo has a trailing slash that the request did not have; its exact rule is
 * not shown. Here the slash goes to the end of the path, and a query stays as it is. The text is
 * cut by hand because a URL parser would change more than the slash.
 */
function withTrailingSlash(url: string): string {
	const pathEnd = url.search(/[?#]/);
	const beforeQuery = pathEnd === -1 ? url : url.slice(0, pathEnd);
	return beforeQuery.endsWith('/') ? url : `${beforeQuery}/${url.slice(beforeQuery.length)}`;
}

/** POST /WebhookRegistration/RegisterWebhook */
export function registerWebhook(sandbox: Sandbox, body: Buffer): Envelope {
	const fields = readFields(registerFields, body);
	requireMerchant(sandbox.settings, fields.merchantId);
	const requestedUrl = fields.webhookUrl ?? '';
	if (!URL.canParse(requestedUrl) || !/^https?:/i.test(requestedUrl)) {
		throw new ServiceError(errorCodes.formatError, 'webhookUrl must be an http or https address');
	}
	const webhookUrl = withTrailingSlash(requestedUrl);
	sandbox.state.registration = {
		webhookUrl,
		requestedUrl,
		merchantId: sandbox.settings.merchantId,
		secret: fields.secret ?? '',
		registeredAt: new Date().toISOString(),
	};
	return success('Webhook registered successfully', { webhookUrl });
}
