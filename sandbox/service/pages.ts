import type { SandboxContext } from '../context';
import { wholeNumber } from '../exactJson';
import { type Page, pagesWithReference } from '../state';
import { type Envelope, errorCodes, ServiceError, success } from './envelope';
import { createFields, readFields, updateFields } from './fields';
import { requireMerchant } from './merchant';

/** The page as create returns it: `pageType` is accepted there but not returned. */
function pageData(page: Page): object {
	return {
		...page,
		id: wholeNumber(page.id),
		merchantId: wholeNumber(page.merchantId),
		pageType: undefined,
	};
}

/** Address at which the sandbox itself shows the page to a payer. */
export function hostedAddress(url: string, reference: string): string {
	// A lone surrogate is legal in JSON text but cannot be encoded into an address.
	return `${url}/pay/${encodeURIComponent(Buffer.from(reference).toString())}`;
}

function refuseTakenReference(context: SandboxContext, reference: string, pageId?: string): void {
	if (context.settings.duplicateReferences === 'allow') return;
	if (pagesWithReference(context, reference).every((page) => page.id === pageId)) return;
	throw new ServiceError(
		errorCodes.duplicateReference,
		'paymentPageLinkReference belongs to another page already',
	);
}

function nextId({ state, settings }: SandboxContext): string {
	state.lastId = state.lastId === null ? settings.firstId : (BigInt(state.lastId) + 1n).toString();
	return state.lastId;
}

/** POST /PaymentPages/Add */
export function createPage(context: SandboxContext, body: Buffer): Envelope {
	const fields = readFields(createFields, body);
	requireMerchant(context.settings, fields.merchantId);
	const id = nextId(context);
	// Whether a reference is required is not shown; without one the page gets one it can be found by.
	const reference = fields.paymentPageLinkReference || `page-${id}`;
	refuseTakenReference(context, reference);
	const page: Page = {
		id,
		businessName: fields.businessName ?? null,
		merchantId: context.settings.merchantId,
		pageName: fields.pageName ?? null,
		description: fields.description ?? null,
		amount: fields.amount ?? null,
		isFixedAmount: fields.isFixedAmount ?? false,
		isPhoneNumberRequired: fields.isPhoneNumberRequired ?? false,
		paymentPageLink: fields.paymentPageLink || hostedAddress(context.url, reference),
		paymentPageLinkReference: reference,
		callBackUrl: fields.callBackUrl ?? null,
		successMessage: fields.successMessage ?? null,
		notificationEmail: fields.notificationEmail ?? null,
		isTestMode: fields.isTestMode ?? false,
		pageType: fields.pageType ?? null,
		additionalFields: fields.additionalFields ?? null,
		isActive: true,
		dateCreated: new Date().toISOString().replace('Z', ''),
		isDeleted: false,
	};
	context.state.pages.set(id, page);
	// The message speaks of fetching (docs/interface.md, "Create payment page").
	return success('Payment page fetched successfully', pageData(page));
}

/**
 * POST /PaymentPages/Update. Whether `id` or `paymentPageLinkReference` selects the page is not
 * shown: here the ID decides when it is given (and the reference may then change), otherwise the
 * oldest page with the reference. Fields that are not given keep their value.
 */
export function updatePage(context: SandboxContext, body: Buffer): Envelope {
	const fields = readFields(updateFields, body);
	requireMerchant(context.settings, fields.merchantId);
	const page =
		fields.id === undefined
			? pagesWithReference(context, fields.paymentPageLinkReference ?? '')[0]
			: context.state.pages.get(fields.id);
	if (!page) {
		throw new ServiceError(
			errorCodes.pageNotFound,
			fields.id === undefined
				? 'No payment page has this paymentPageLinkReference'
				: 'No payment page has this id',
		);
	}
	const reference = fields.paymentPageLinkReference || page.paymentPageLinkReference;
	refuseTakenReference(context, reference, page.id);
	const linkIsHosted =
		page.paymentPageLink === hostedAddress(context.url, page.paymentPageLinkReference);
	const link = linkIsHosted ? hostedAddress(context.url, reference) : page.paymentPageLink;
	Object.assign(page, fields, {
		merchantId: page.merchantId,
		paymentPageLinkReference: reference,
		paymentPageLink: fields.paymentPageLink || link,
	});
	return success('Payment page updated successfully');
}

/** GET /PaymentPages/ValidatePaymentPageLinkRefernce/{reference}; `isValid` is true if it EXISTS. */
export function validateReference(context: SandboxContext, reference: string): Envelope {
	const isValid = pagesWithReference(context, reference).length > 0;
	return success('Payment page link reference validated', { isValid });
}
