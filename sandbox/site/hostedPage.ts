import type { FastifyInstance, FastifyReply } from 'fastify';
import { PaymentRejected } from '../payments';
import type { Sandbox } from '../sandbox';
import { hostedAddress } from '../service/endpoints';
import { type Page, pagesWithReference } from '../state';
import { amountText, html, type Html, sendDocument, sendNotice } from './html';

type PaymentForm = { amount?: string; phoneNumber?: string };

/** An amount as payers write it; "1,000" means two things to people and is rejected with NaN. */
function enteredAmount(text: string): number {
	return /^\d+([.,]\d{1,2})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : NaN;
}

function field(
	name: keyof PaymentForm,
	label: string,
	attributes: Html,
	value: string | undefined,
	rejected?: PaymentRejected,
): Html {
	const wrong =
		rejected?.field === name && html`aria-invalid="true" aria-describedby="rejected" autofocus`;
	return html`<div class="field">
		<label for="${name}">${label}</label>
		<input id="${name}" name="${name}" value="${value}" required ${attributes} ${wrong} />
	</div>`;
}

function paymentForm(page: Page, form: PaymentForm, rejected?: PaymentRejected): Html {
	const isFixed = page.isFixedAmount && page.amount !== null;
	const entered = form.amount ?? page.amount?.toString();
	const phone = html`type="tel" autocomplete="tel"`;
	return html`<form method="post">
		${isFixed && html`<p class="amount">${amountText(page.amount)}</p>`}
		${!isFixed && field('amount', 'Amount', html`inputmode="decimal"`, entered, rejected)}
		${page.isPhoneNumberRequired && field('phoneNumber', 'Phone number', phone, form.phoneNumber, rejected)}
		${rejected && html`<p id="rejected" class="bad" role="alert">${rejected.message}</p>`}
		<button class="wide" type="submit">Pay</button>
	</form>`;
}

function sendPayable(reply: FastifyReply, status: number, page: Page, content: Html): FastifyReply {
	const name = page.pageName || page.paymentPageLinkReference;
	const document = html`<section class="card">
		<p><span class="quiet">${page.businessName}</span>
			${page.isTestMode && html`<span class="badge">Test mode</span>`}</p>
		<h1>${name}</h1>
		${page.description && html`<p>${page.description}</p>`}
		${content}
	</section>
	<p class="quiet">This is a sandbox: no money moves.</p>`;
	return sendDocument(reply, status, name, document, 'narrow');
}

const missing = html`<p>There is no payment page at this address.</p>`;
const sendMissing = (reply: FastifyReply) => sendNotice(reply, 404, 'Page not found', missing);

function successContent(page: Page, amount: number): Html {
	return html`<div role="status">
		<p class="amount good">${amountText(amount)} paid</p>
		<p>${page.successMessage || 'Thank you, your payment was received.'}</p>
	</div>`;
}

/** The pages that payers see, at `/pay/<reference>`; among equal references the oldest page. */
export async function hostedPageRoutes(
	app: FastifyInstance,
	{ sandbox }: { sandbox: Sandbox },
): Promise<void> {
	const find = (reference: string): Page | undefined => pagesWithReference(sandbox, reference)[0];

	app.get<{ Params: { reference: string }; Querystring: { paid?: string } }>(
		'/pay/:reference',
		async (request, reply) => {
			const page = find(request.params.reference);
			if (!page) return sendMissing(reply);
			const payment = sandbox.state.payments.find(({ id }) => id === request.query.paid);
			if (payment?.pageId === page.id) {
				return sendPayable(reply, 200, page, successContent(page, payment.amount));
			}
			if (page.isDeleted || !page.isActive) {
				const content = html`<p role="status">This payment page is no longer available.</p>`;
				return sendPayable(reply, 410, page, content);
			}
			return sendPayable(reply, 200, page, paymentForm(page, {}));
		},
	);

	app.post<{ Params: { reference: string }; Body: PaymentForm | undefined }>(
		'/pay/:reference',
		async (request, reply) => {
			const page = find(request.params.reference);
			if (!page) return sendMissing(reply);
			const { amount: entered, phoneNumber } = request.body ?? {};
			const amount = entered === undefined ? undefined : enteredAmount(entered);
			try {
				const { payment } = sandbox.payPage(page, { amount, phoneNumber });
				// A redirect, so that reloading the result does not pay again.
				const address = hostedAddress('', page.paymentPageLinkReference);
				return await reply.redirect(`${address}?paid=${payment.id}`, 303);
			} catch (error) {
				if (!(error instanceof PaymentRejected)) throw error;
				const form = paymentForm(page, request.body ?? {}, error);
				return sendPayable(reply, error.statusCode, page, form);
			}
		},
	);
}
