import { ServiceError } from '../../../shared/serviceError';
import type { CallContext } from '../../run/call';
import { pageExists } from './pageExists';

/** Whether the page may exist although its creation did not answer with success. */
function mayHaveCreated(error: ServiceError): boolean {
	return error.details.kind === 'answerLost' || error.details.kind === 'unreadable';
}

function uncertain(error: ServiceError, finding: string, advice: string): ServiceError {
	return new ServiceError(`${error.message}; ${finding}`, advice, error.details);
}

/**
 * After a create whose answer was lost: finds out whether the page is there, and never sends it
 * again.
 *
 * @param wasAbsent whether the service had said, before, that no such page existed
 * @returns when the page is there and is the one that was sent
 * @throws ServiceError otherwise, saying what was found and what to do
 */
export async function recoverCreate(
	context: CallContext,
	reference: string,
	error: ServiceError,
	wasAbsent: boolean,
): Promise<void> {
	if (!mayHaveCreated(error)) throw error;
	const exists = await pageExists(context, reference);
	if (exists instanceof ServiceError) {
		throw uncertain(
			error,
			`whether the page "${reference}" was created could not be found out`,
			`${error.advice} Then run again with If Reference Exists set to Skip, so that no page is made twice.`,
		);
	}
	if (exists && wasAbsent) return;
	if (exists) {
		throw uncertain(
			error,
			`a page "${reference}" exists, but it may have existed before`,
			'Look at the page at the service. To go on, run again with If Reference Exists set to Skip, so that no page is made twice.',
		);
	}
	throw uncertain(
		error,
		`the page "${reference}" does not exist so far`,
		`${error.advice} Then run again with If Reference Exists set to Skip, so that no page is made twice.`,
	);
}
