import { parseJson } from '../../shared/exactJson';
import { isRecord } from '../../shared/service';
import type { Answer } from '../../shared/service';

/** What the sender of an event that could not be verified is told. */
export const rejection = { message: 'The event could not be verified.' };

/** Whether an answer comes from the trigger, and not from something that stands before n8n. */
export function isOwnAnswer({ statusCode, text }: Answer): boolean {
	const body = parseJson(text);
	if (!isRecord(body)) return false;
	return statusCode === 401 ? body.message === rejection.message : body.received === true;
}
