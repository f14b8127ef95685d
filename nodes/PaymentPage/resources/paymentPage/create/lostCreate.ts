import { excerpt, failureOf, ServiceError } from '../../../../shared/errors';
import type { RequestContext } from '../../../run/operation';
import { pageExists } from '../pageExists';
import type { LostAnswer } from './sentPages';

const nextTime =
	"When you run again, set 'If Reference Exists' to 'Skip', so that no page is created twice.";

function uncertain(error: ServiceError, finding: string, advice: string): ServiceError {
	return new ServiceError(`${error.message}; ${finding}`, advice, error.details);
}

/**
 * Asks whether the page of a create whose answer was lost is there. Such a create is never sent
 * again without this question.
 *
 * @returns true when the page is there and is the one that was sent, false when no such page exists
 * @throws ServiceError when neither is certain, saying what was found and what to do
 */
export async function isCreated(
	context: RequestContext,
	reference: string,
	{ error, wasAbsent }: LostAnswer,
): Promise<boolean> {
	let exists: boolean;
	try {
		exists = await pageExists(context, reference);
	} catch (cause) {
		const { kind } = failureOf(cause).details;
		// n8n looks for the word "canceled" (n8n facts, "The declarative engine").
		const finding =
			kind === 'canceled'
				? `the execution was canceled before it was known whether the page ${excerpt(reference)} was created`
				: `it could not be determined whether the page ${excerpt(reference)} was created`;
		throw uncertain(error, finding, `${error.advice} ${nextTime}`);
	}
	if (exists && !wasAbsent) {
		throw uncertain(
			error,
			`a page ${excerpt(reference)} exists, but it may have existed before`,
			`Check the page at the service. ${nextTime}`,
		);
	}
	return exists;
}

/** The service may still be busy with the request, so it is not sent again at once. */
export function notCreatedSoFar(reference: string, { error }: LostAnswer): ServiceError {
	return uncertain(
		error,
		`the page ${excerpt(reference)} does not exist yet`,
		`${error.advice} ${nextTime}`,
	);
}
