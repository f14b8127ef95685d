import { excerpt } from '../../../shared/fields/invalidFieldError';
import type { Envelope } from '../../../shared/service/api';
import { ServiceError, type Outcome } from '../../../shared/service/serviceError';
import { readExists, validationRequest } from '../../../shared/service/validateReference';
import { call, type CallContext } from '../../run/withRetries';

/** Servers and proxies answer so to an address that they do not like: no such address, bad, too long. */
const addressStatuses = [400, 404, 414];

/** Neither a letter or digit of any script nor a sign that no address gives a meaning. */
const notableSign = /[^\p{Letter}\p{Mark}\p{Number}._~-]/gu;

/** Well below the 260 characters at which some servers end a part of an address. */
const maxPartLength = 200;

function signsOf(reference: string): string {
	const signs = [...new Set(reference.match(notableSign))].slice(0, 5);
	return signs.map((sign) => (sign.trim() === '' ? 'a blank' : `"${sign}"`)).join(', ');
}

/** What a server may dislike about a reference in an address; undefined for an ordinary one. */
function peculiarityOf(reference: string): string | undefined {
	const { length } = encodeURIComponent(reference);
	if (length > maxPartLength) return `is ${length} characters long in the address`;
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
		`Use a short reference of letters, digits and hyphens for this item. If other items fail as well: ${error.advice}`,
		error.details,
	);
}

/** Asks the service about a reference (interface, "Validate payment page reference"). */
export async function validate(
	context: CallContext,
	reference: string,
): Promise<Outcome<Envelope>> {
	const outcome = await call(context, validationRequest(reference), true);
	return outcome instanceof ServiceError ? withReference(outcome, reference) : outcome;
}

/** Asks the service whether a page with this reference exists. */
export async function pageExists(
	context: CallContext,
	reference: string,
): Promise<Outcome<boolean>> {
	const outcome = await validate(context, reference);
	return outcome instanceof ServiceError ? outcome : readExists(outcome);
}
