import { randomUUID } from 'node:crypto';
import type { DeliveryOrder } from './deliveries';
import { LosslessNumber } from 'lossless-json';
import { toExactJson } from './exactJson';
import type { SandboxSettings } from './settings';
import { proofHeaders, unixSeconds } from './signing';
import type { Page, Payment, Registration } from './state';

/** What a payer gives on the hosted page. */
export interface PaymentDetails {
	amount?: number; // needed when the page's amount is not fixed
	phoneNumber?: string; // needed when the page asks for it
}

/** A payment that the page does not take, with the payer's field that is at fault. */
export class PaymentRejected extends Error {
	readonly statusCode = 422; // of the answer to the payer

	constructor(
		readonly field: 'amount' | 'phoneNumber' | 'page',
		message: string,
	) {
		super(message);
	}
}

export function newPayment(page: Page, details: PaymentDetails): Payment {
	if (page.isDeleted || !page.isActive) {
		throw new PaymentRejected('page', 'This payment page is no longer available.');
	}
	const amount = page.isFixedAmount ? page.amount : (details.amount ?? null);
	if (amount === null || !(amount > 0)) {
		throw new PaymentRejected('amount', 'Enter an amount greater than zero, such as 25 or 25.50.');
	}
	const phoneNumber = details.phoneNumber?.trim() || null;
	if (page.isPhoneNumberRequired && phoneNumber === null) {
		throw new PaymentRejected('phoneNumber', 'Enter your phone number.');
	}
	const { id: pageId, paymentPageLinkReference } = page;
	const paidAt = new Date().toISOString();
	return { id: randomUUID(), pageId, paymentPageLinkReference, amount, phoneNumber, paidAt };
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
	const headers = (now: Date) => proofHeaders(signing, secret, body, unixSeconds(now));
	return { kind: 'event', url: webhookUrl, body, headers };
}

/** What the service sends because of a payment; the content is not shown ("Events"). */
export function paymentOrders(
	settings: SandboxSettings,
	registration: Registration | null,
	page: Page,
	payment: Payment,
): DeliveryOrder[] {
	const content = {
		paymentId: payment.id,
		merchantId: new LosslessNumber(page.merchantId),
		paymentPageId: new LosslessNumber(page.id),
		paymentPageLinkReference: payment.paymentPageLinkReference,
		pageName: page.pageName,
		amount: payment.amount,
		phoneNumber: payment.phoneNumber,
		isTestMode: page.isTestMode,
		paidAt: payment.paidAt,
	};
	const event = { event: 'payment.completed', eventId: randomUUID(), ...content };
	const orders: DeliveryOrder[] = [];
	if (page.callBackUrl) orders.push(callbackOrder(page.callBackUrl, toExactJson(content)));
	if (registration) orders.push(eventOrder(settings, registration, toExactJson(event)));
	const { paymentPageLinkReference } = page;
	return orders.map((order) => ({ ...order, paymentPageLinkReference }));
}
