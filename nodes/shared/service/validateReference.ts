import { isRecord } from '../fields/isRecord';
import { toPathSegment } from '../fields/pathSegment';
import type { Envelope, ServiceRequest } from './api';
import { ServiceError } from './serviceError';

/**
 * Relative to the base URL, before the reference (docs/interface.md, "Validate payment page reference").
 * "Refernce" is the service's own spelling.
 */
export const validateReferencePath = '/PaymentPages/ValidatePaymentPageLinkRefernce/';

/**
 * Asks whether a page with this reference exists.
 *
 * @param path before the reference
 */
export function validateReferenceRequest(
	reference: string,
	path = validateReferencePath,
): ServiceRequest {
	return { method: 'GET', path: `${path}${toPathSegment(reference)}` };
}

/**
 * Whether the page exists: the service calls a reference valid when it does.
 *
 * @throws ServiceError when the response does not say
 */
export function pageExistsIn({ data }: Envelope): boolean {
	const isValid = isRecord(data) ? data.isValid : undefined;
	if (typeof isValid === 'boolean') return isValid;
	throw new ServiceError(
		'The service did not say whether the reference exists',
		"Check the Base URL in the credential. If it is right, contact the service's support.",
		{ kind: 'unreadable' },
	);
}
