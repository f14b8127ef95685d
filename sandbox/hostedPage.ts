import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxContext } from './context';
import { html, type Html } from './html';
import { htmlDocument, sendDocument } from './layout';
import { PaymentRefused, payPage } from './payments';
import { hostedAddress } from './service/pages';
import { type Page, type Payment, pagesWithReference } from './state';

interface PaymentForm {
	amount?: string;
	phoneNumber?: string;
}

/** The interface names no currency, so amounts stand without one. */
export function amountText(amount: number): string {
	return amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 20 });
}

/** An amount as payers write it; "1,000" means two things to people and is refused with NaN. */
function enteredAmount(text: string): number {
	return /^\d+([.,]\d{1,2})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : NaN;
}

function field(
	name: keyof PaymentForm,
	label: string,
	attributes: Html,
	value: string | undefined,
	refused?: PaymentRefused,
): Html {
	const isWrong = refused?.field === name;
	return html`<div class="field">
		<label for="${name}">${label}</label>
		<input
			id="${name}"
			name="${name}"
			value="${value}"
			required
			${attributes}
			${isWrong && html`aria-invalid="true" aria-describedby="refused" autofocus`}
		/>
	</div>`;
}

function paymentForm(page: Page, form: PaymentForm, refused?: PaymentRefused): Html {
	const amount = form.amount ?? page.amount?.toString();
	return html`<form method="post">
		${page.isFixedAmount && page.amount !== null
			? html`<p class="amount">${amountText(page.amount)}</p>`
			: field('amount', 'Amount', html`inputmode="decimal"`, amount, refused)}
		${page.isPhoneNumberRequired &&
		field(
			'phoneNumber',
			'Phone number',
			html`type="tel" autocomplete="tel"`,
			form.phoneNumber,
			refused,
		)}
		${refused && html`<p id="refused" class="bad" role="alert">${refused.message}</p>`}
		<button class="wide" type="submit">Pay</button>
	</form>`;
}

function payableDocument(page: Page, content: Html): string {
	const name = page.pageName || page.paymentPageLinkReference;
	return htmlDocument(
		name,
		html`<section class="card">
				<p>
					<span class="quiet">${page.businessName}</span>
					${page.isTestMode && html`<span class="badge">Test mode</span>`}
				</p>
				<h1>${name}</h1>
				${page.description && html`<p>${page.description}</p>`} ${content}
			</section>
			<p class="quiet">This is a sandbox: no money moves.</p>`,
		'narrow',
	);
}

function sendMissing(reply: FastifyReply): FastifyReply {
	const content = html`<section class="card">
		<h1>Page not found</h1>
		<p>There is no payment page at this address.</p>
	</section>`;
	return sendDocument(reply, 404, htmlDocument('Page not found', content, 'narrow'));
}

function successContent(page: Page, amount: number): Html {
	return html`<div role="status">
		<p class="amount good">${amountText(amount)} paid</p>
		<p>${page.successMessage || 'Thank you, your payment was received.'}</p>
	</div>`;
}

/** The pages that payers see, at `/pay/<reference>`; among equal references the oldest page. */
export async function hostedPageRoutes(
	app: FastifyInstance,
	{ context }: { context: SandboxContext },
): Promise<void> {
	const find = (reference: string): Page | undefined => pagesWithReference(context, reference)[0];

	app.get<{ Params: { reference: string }; Querystring: { paid?: string } }>(
		'/pay/:reference',
		async (request, reply) => {
			const page = find(request.params.reference);
			if (!page) return sendMissing(reply);
			const payment = context.state.payments.find(({ id }) => id === request.query.paid);
			if (payment?.pageId === page.id) {
				const content = successContent(page, payment.amount);
				return sendDocument(reply, 200, payableDocument(page, content));
			}
			if (page.isDeleted || !page.isActive) {
				const content = html`<p role="status">This payment page is no longer available.</p>`;
				return sendDocument(reply, 410, payableDocument(page, content));
			}
			return sendDocument(reply, 200, payableDocument(page, paymentForm(page, {})));
		},
	);

	app.post<{ Params: { reference: string }; Body: PaymentForm | undefined }>(
		'/pay/:reference',
		async (request, reply) => {
			const page = find(request.params.reference);
			if (!page) return sendMissing(reply);
			const form = request.body ?? {};
			const amount = form.amount === undefined ? undefined : enteredAmount(form.amount);
			let payment: Payment;
			try {
				({ payment } = payPage(context, page, { amount, phoneNumber: form.phoneNumber }));
			} catch (error) {
				if (!(error instanceof PaymentRefused)) throw error;
				const content = paymentForm(page, form, error);
				return sendDocument(reply, error.statusCode, payableDocument(page, content));
			}
			// A redirect, so that reloading the result does not pay again.
			const address = hostedAddress('', page.paymentPageLinkReference);
			return reply.redirect(`${address}?paid=${payment.id}`, 303);
		},
	);
}
