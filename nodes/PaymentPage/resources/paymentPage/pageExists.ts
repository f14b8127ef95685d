import { excerpt, failureOf, ServiceError } from '../../../shared/errors';
import type { Envelope } from '../../../shared/service/api';
import { pageExistsIn, validateReferenceRequest } from '../../../shared/service/request';
import type { RequestContext } from '../../run/operation';
import { sendWithRetries } from '../../run/sendWithRetries';

/** Servers and proxies answer so to an address that they do not like: no such address, bad, too long. */
const addressStatuses = [400, 404, 414];

/** Neither a letter or digit of any script nor a sign that no address gives a meaning. */
const notableSign = /[^\p{Letter}\p{Mark}\p{Number}._~-]/gu;

/** Well below the 260 characters at which some servers end a part of an address. */
const maxPartLength = 200;

function signsOf(reference: string): string {
	const signs = [...new Set(reference.match(notableSign))].slice(0, 5);
	return signs.map((sign) => (sign.trim() === '' ? 'a space' : `"${sign}"`)).join(', ');
}

/** What a server may dislike about a reference in an address; undefined for an ordinary one. */
function peculiarityOf(reference: string): string | undefined {
	const { length } = encodeURIComponent(reference);
	if (length > maxPartLength) return `is ${length} characters long in the URL`;
	const signs = signsOf(reference);
	return signs === '' ? undefined : `contains ${signs}`;
}

/**
 * The reference is a part of the address of this request alone; other items may get through with the
 * same Base URL.
 */
function withReference(error: ServiceError, reference: string): ServiceError {
	const { statusCode = 0 } = error.details;
	const peculiarity = peculiarityOf(reference);
	if (peculiarity === undefined || !addressStatuses.includes(statusCode)) return error;
	return new ServiceError(
		`${error.message}; the reference ${excerpt(reference)} ${peculiarity}`,
		`Use a short reference with letters, digits and hyphens for this item. If other items fail too: ${error.advice}`,
		error.details,
	);
}

/**
 * Asks the service about a reference (docs/interface.md, "Validate payment page reference").
 *
 * @throws ServiceError
 */
export async function validate(
	context: RequestContext,
	reference: string,
	request = validateReferenceRequest(reference),
): Promise<Envelope> {
	try {
		return await sendWithRetries(context, request, true);
	} catch (error) {
		throw withReference(failureOf(error), reference);
	}
}

/**
 * Asks the service whether a page with this reference exists.
 *
 * @throws ServiceError
 */
export async function pageExists(context: RequestContext, reference: string): Promise<boolean> {
	return pageExistsIn(await validate(context, reference));
}
