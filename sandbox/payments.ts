import { randomUUID } from 'node:crypto';
import type { SandboxContext } from './context';
import type { DeliveryOrder } from './deliveries';
import { callbackBody, callbackOrder, eventBody, eventOrder } from './events';
import { type Delivery, type Page, type Payment, remember } from './state';

/** What a payer gives on the hosted page. */
export interface PaymentDetails {
	/** Needed when the page's amount is not fixed. */
	amount?: number;
	/** Needed when the page asks for it. */
	phoneNumber?: string;
}

/** A payment that the page does not take, with the payer's field that is at fault. */
export class PaymentRefused extends Error {
	/** HTTP status of the answer to the payer. */
	readonly statusCode = 422;

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
		orders.push(callbackOrder(page.callBackUrl, callbackBody(page, payment)));
	}
	const { registration } = context.state;
	if (registration) {
		orders.push(eventOrder(context.settings, registration, eventBody(page, payment)));
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
