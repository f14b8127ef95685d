import { randomUUID } from 'node:crypto';
import type { SandboxContext } from './context';
import type { Delivery, DeliveryOrder } from './deliveries';
import { toExactJson, wholeNumber } from './exactJson';
import { proofHeaders, unixSeconds } from './signing';
import { type Page, type Payment, remember } from './state';

/** What a payer gives on the hosted page. */
export interface PaymentDetails {
	/** Needed when the page's amount is not fixed. */
	amount?: number;
	/** Needed when the page asks for it. */
	phoneNumber?: string;
}

/** A payment that the page does not take, with the payer's field that is at fault. */
export class PaymentRefused extends Error {
	constructor(
		readonly field: 'amount' | 'phoneNumber' | 'page',
		message: string,
	) {
		super(message);
	}
}

const paymentLimit = 20_000;

function newPayment(page: Page, details: PaymentDetails): Payment {
	if (page.isDeleted || !page.isActive) {
		throw new PaymentRefused('page', 'This payment page is no longer available.');
	}
	const amount = page.isFixedAmount ? page.amount : (details.amount ?? null);
	if (amount === null || !(amount > 0)) {
		throw new PaymentRefused('amount', 'Enter an amount greater than zero, such as 25 or 25.50.');
	}
	const phoneNumber = details.phoneNumber?.trim() || null;
	if (page.isPhoneNumberRequired && phoneNumber === null) {
		throw new PaymentRefused('phoneNumber', 'Enter your phone number.');
	}
	return {
		id: randomUUID(),
		pageId: page.id,
		paymentPageLinkReference: page.paymentPageLinkReference,
		amount,
		phoneNumber,
		paidAt: new Date().toISOString(),
	};
}

/**
 * What the service tells of a payment. The interface does not show the payloads of events (Events,
 * 3) nor of the call of `callBackUrl`, so this shape is the sandbox's own choice.
 */
export function paymentContent(page: Page, payment: Payment): object {
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

export function eventBody(page: Page, payment: Payment): string {
	return toExactJson({
		event: 'payment.completed',
		eventId: randomUUID(),
		...paymentContent(page, payment),
	});
}

/** The order to send an event to the registered webhook, signed as the settings then say. */
export function eventOrder(
	context: SandboxContext,
	registration: NonNullable<SandboxContext['state']['registration']>,
	body: string,
): DeliveryOrder {
	return {
		kind: 'event',
		url: registration.webhookUrl,
		body,
		headers: (now) =>
			proofHeaders(context.settings.signing, registration.secret, body, unixSeconds(now)),
	};
}

/** Result of a payment: what was paid, and what the service sends because of it. */
export interface PaymentResult {
	payment: Payment;
	deliveries: Delivery[];
	/** Resolves when each delivery was tried once. */
	tried: Promise<void>;
}

/** Pays a page; the service then calls its `callBackUrl` and sends an event to the webhook. */
export function payPage(
	context: SandboxContext,
	page: Page,
	details: PaymentDetails,
): PaymentResult {
	const payment = newPayment(page, details);
	remember(context.state.payments, payment, paymentLimit);
	const orders: DeliveryOrder[] = [];
	if (page.callBackUrl) {
		const body = toExactJson(paymentContent(page, payment));
		orders.push({ kind: 'callback', url: page.callBackUrl, body, headers: () => ({}) });
	}
	const { registration } = context.state;
	if (registration) {
		orders.push(eventOrder(context, registration, eventBody(page, payment)));
	}
	const { paymentPageLinkReference } = page;
	const sent = orders.map((order) =>
		context.deliveries.send({ ...order, paymentPageLinkReference }),
	);
	return {
		payment,
		deliveries: sent.map(({ delivery }) => delivery),
		tried: Promise.all(sent.map(({ firstTry }) => firstTry)).then(() => undefined),
	};
}

/** Pays a page with made-up details where the page needs some that are not given. */
export function payPageWithDefaults(
	context: SandboxContext,
	page: Page,
	details: PaymentDetails = {},
): PaymentResult {
	return payPage(context, page, {
		amount: details.amount ?? page.amount ?? 100,
		phoneNumber: details.phoneNumber ?? (page.isPhoneNumberRequired ? '+1 555 0100' : undefined),
	});
}
