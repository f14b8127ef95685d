import { ServiceError } from '../../../shared/serviceError';
import type { Outcome } from '../../../shared/serviceError';
import { readExists, validationRequest } from '../../../shared/validation';
import { call } from '../../run/call';
import type { CallContext } from '../../run/call';

/** Asks the service whether a page with this reference exists. */
export async function pageExists(
	context: CallContext,
	reference: string,
): Promise<Outcome<boolean>> {
	const outcome = await call(context, validationRequest(reference), true);
	return outcome instanceof ServiceError ? outcome : readExists(outcome);
}
