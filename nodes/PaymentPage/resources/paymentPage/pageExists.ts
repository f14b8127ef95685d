import { isRecord, paths } from '../../../shared/service';
import type { Envelope, ServiceRequest } from '../../../shared/service';
import { ServiceError } from '../../../shared/serviceError';
import type { Outcome } from '../../../shared/serviceError';
import { toPathSegment } from '../../../shared/reference';
import { call } from '../../run/call';
import type { CallContext } from '../../run/call';

/** The question whether a page with this reference exists. */
export function validationRequest(reference: string): ServiceRequest {
	return { method: 'GET', path: `${paths.validateReference}${toPathSegment(reference)}` };
}

/** Reads whether the page exists: the service calls a reference valid when it does. */
export function readExists(envelope: Envelope): Outcome<boolean> {
	const isValid = isRecord(envelope.data) ? envelope.data.isValid : undefined;
	if (typeof isValid === 'boolean') return isValid;
	return new ServiceError(
		'The service did not say whether the reference exists',
		'Check the Base URL in the credential; if it is right, tell the support of the service.',
		{ kind: 'unreadable' },
	);
}

/** Asks the service whether a page with this reference exists. */
export async function pageExists(
	context: CallContext,
	reference: string,
): Promise<Outcome<boolean>> {
	const outcome = await call(context, validationRequest(reference), true);
	return outcome instanceof ServiceError ? outcome : readExists(outcome);
}
