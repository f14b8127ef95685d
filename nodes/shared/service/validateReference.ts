import { toPathSegment } from '../fields/reference';
import { isRecord } from '../fields/isRecord';
import { paths, type Envelope, type ServiceRequest } from './api';
import { ServiceError, type Outcome } from './serviceError';

/** Validate payment page reference (interface, section of that name): does such a page exist? */
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
