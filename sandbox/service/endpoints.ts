import { LosslessNumber } from 'lossless-json';
import type { Sandbox } from '../sandbox';
import { emptyPage, type Page, pagesWithReference } from '../state';
import { type Envelope, errorCodes, ServiceError, success } from './envelope';
import { createFields, readFields, registerFields, requireMerchant, updateFields } from './fields';

/** The page as create returns it: `pageType` is accepted there but not returned. */
function pageData(page: Page): object {
	return {
		...page,
		id: new LosslessNumber(page.id),
		merchantId: new LosslessNumber(page.merchantId),
		pageType: undefined,
	};
}

/** Address at which the sandbox itself shows the page to a payer. */
export function hostedAddress(url: string, reference: string): string {
	// A lone surrogate is legal in JSON text but cannot be encoded into an address.
	return `${url}/pay/${encodeURIComponent(Buffer.from(reference).toString())}`;
}

function rejectTakenReference(sandbox: Sandbox, reference: string, pageId?: string): void {
	if (sandbox.settings.duplicateReferences === 'allow') return;
	if (pagesWithReference(sandbox, reference).every((page) => page.id === pageId)) return;
	const message = 'paymentPageLinkReference belongs to another page already';
	throw new ServiceError(errorCodes.duplicateReference, message);
}

function nextId({ state, settings }: Sandbox): string {
	state.lastId = state.lastId === null ? settings.firstId : (BigInt(state.lastId) + 1n).toString();
	return state.lastId;
}

/** POST /PaymentPages/Add */
export function createPage(sandbox: Sandbox, body: Buffer): Envelope {
	const fields = readFields(createFields, body);
	requireMerchant(sandbox.settings, fields.merchantId);
	const id = nextId(sandbox);
	// Whether a reference is required is not shown; without one the page gets one it can be found by.
	const reference = fields.paymentPageLinkReference || `page-${id}`;
	rejectTakenReference(sandbox, reference);
	const page: Page = {
		id,
		...emptyPage,
		...fields,
		merchantId: sandbox.settings.merchantId,
		paymentPageLink: fields.paymentPageLink || hostedAddress(sandbox.url, reference),
		paymentPageLinkReference: reference,
		pageType: fields.pageType ?? null,
		isActive: true,
		dateCreated: new Date().toISOString().replace('Z', ''),
		isDeleted: false,
	};
	sandbox.state.pages.set(id, page);
	// The message speaks of fetching (docs/interface.md, "Create payment page").
	return success('Payment page fetched successfully', pageData(page));
}

/**
 * POST /PaymentPages/Update. What selects the page is not shown: here the ID if it is given, otherwise
 * the oldest page with the reference. Fields that are not given keep their value.
 */
export function updatePage(sandbox: Sandbox, body: Buffer): Envelope {
	const fields = readFields(updateFields, body);
	requireMerchant(sandbox.settings, fields.merchantId);
	const page =
		fields.id === undefined
			? pagesWithReference(sandbox, fields.paymentPageLinkReference ?? '')[0]
			: sandbox.state.pages.get(fields.id);
	if (!page) {
		const name = fields.id === undefined ? 'paymentPageLinkReference' : 'id';
		throw new ServiceError(errorCodes.pageNotFound, `No payment page has this ${name}`);
	}
	const reference = fields.paymentPageLinkReference || page.paymentPageLinkReference;
	rejectTakenReference(sandbox, reference, page.id);
	const linkIsHosted =
		page.paymentPageLink === hostedAddress(sandbox.url, page.paymentPageLinkReference);
	const link = linkIsHosted ? hostedAddress(sandbox.url, reference) : page.paymentPageLink;
	const { merchantId } = page;
	const paymentPageLink = fields.paymentPageLink || link;
	Object.assign(page, fields, { merchantId, paymentPageLinkReference: reference, paymentPageLink });
	return success('Payment page updated successfully');
}

/** GET /PaymentPages/ValidatePaymentPageLinkRefernce/{reference}; `isValid` is true if it EXISTS. */
export function validateReference(sandbox: Sandbox, _body: Buffer, reference: string): Envelope {
	const isValid = pagesWithReference(sandbox, reference).length > 0;
	return success('Payment page link reference validated', { isValid });
}

/**
 * The interface's sample echo has a trailing slash that the request did not have; its exact rule is
 * not shown. Here it goes to the end of the path. A URL parser would change more than the slash.
 */
function withTrailingSlash(url: string): string {
	return url.replace(/^[^?#]*/, (path) => (path.endsWith('/') ? path : `${path}/`));
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
