import type { SandboxContext } from '../context';
import { type Envelope, errorCodes, ServiceError, success } from './envelope';
import { readFields, registerFields } from './fields';
import { requireMerchant } from './merchant';

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

function isWebAddress(text: string): boolean {
	return URL.canParse(text) && /^https?:/i.test(text);
}

/** POST /WebhookRegistration/RegisterWebhook */
export function registerWebhook(context: SandboxContext, body: Buffer): Envelope {
	const fields = readFields(registerFields, body);
	requireMerchant(context.settings, fields.merchantId);
	const requestedUrl = fields.webhookUrl ?? '';
	if (!isWebAddress(requestedUrl)) {
		throw new ServiceError(errorCodes.formatError, 'webhookUrl must be an http or https address');
	}
	const webhookUrl = withTrailingSlash(requestedUrl);
	context.state.registration = {
		webhookUrl,
		requestedUrl,
		merchantId: context.settings.merchantId,
		secret: fields.secret ?? '',
		registeredAt: new Date().toISOString(),
	};
	return success('Webhook registered successfully', { webhookUrl });
}
