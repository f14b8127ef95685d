import { randomUUID } from 'node:crypto';
import type { DeliveryOrder } from './deliveries';
import { toExactJson, wholeNumber } from './exactJson';
import type { SandboxSettings } from './settings';
import { proofHeaders, unixSeconds } from './signing';
import type { Page, Payment, Registration } from './state';

/**
 * What the service tells of a payment. Neither the payloads of events nor the call of `callBackUrl` are
 * known (docs/interface.md, "Events"), so this shape is the sandbox's own choice.
 */
function paymentContent(page: Page, payment: Payment): object {
	return {
		paymentId: payment.id,
		merchantId: wholeNumber(page.merchantId),
		paymentPageId: wholeNumber(page.id),
		paymentPageLinkReference: payment.paymentPageLinkReference,
		pageName: page.pageName,
		amount: payment.amount,
		phoneNumber: payment.phoneNumber,
		isTestMode: page.isTestMode,
		paidAt: payment.paidAt,
	};
}

export function callbackBody(page: Page, payment: Payment): string {
	return toExactJson(paymentContent(page, payment));
}

export function eventBody(page: Page, payment: Payment): string {
	const eventId = randomUUID();
	return toExactJson({ event: 'payment.completed', eventId, ...paymentContent(page, payment) });
}

/** The call of a page's `callBackUrl`. The secret belongs to the webhook, so it is not signed. */
export function callbackOrder(url: string, body: string): DeliveryOrder {
	return { kind: 'callback', url, body, headers: () => ({}) };
}

/** An event to the registered webhook, signed as the settings say. */
export function eventOrder(
	{ signing }: SandboxSettings,
	{ webhookUrl, secret }: Registration,
	body: string,
): DeliveryOrder {
	return {
		kind: 'event',
		url: webhookUrl,
		body,
		headers: (now) => proofHeaders(signing, secret, body, unixSeconds(now)),
	};
}
