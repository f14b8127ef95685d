import type { IDataObject } from 'n8n-workflow';

import { deriveListenMark, deriveUrlToken } from '../../shared/secrets';
import { hideSecrets } from '../../shared/serviceText';
import { listenParameter, tokenParameter } from '../urlParameters';
import { headerValues } from '../verification/headers';
import type { Headers } from '../verification/headers';

/** A received event before anything was left out of it. */
export interface EventParts {
	headers: Headers;
	params: unknown;
	query: Record<string, unknown>;
	body: unknown;
}

/** What the trigger itself put into the registered address. */
const ownParameters = [tokenParameter, listenParameter];

/**
 * The item of an event: the shape of n8n's own Webhook node, so that expressions made for it go on
 * working, without anything that would let a reader of the execution forge the next event.
 *
 * @param proof the proof that was found, if any
 * @param receivedAt milliseconds of the clock
 */
export function toOutput(
	{ headers, params, query, body }: EventParts,
	secrets: readonly string[],
	proof: string | undefined,
	receivedAt: number,
): IDataObject {
	const hidden = secrets
		.filter((secret) => secret !== '')
		.flatMap((secret) => [secret, deriveUrlToken(secret), deriveListenMark(secret)]);
	const shownHeaders = Object.keys(headers).filter(
		(name) =>
			name !== 'authorization' &&
			!headerValues(headers, name).some((value) => hidden.some((text) => value.includes(text))),
	);
	const shownQuery = Object.entries(query).filter(([name]) => !ownParameters.includes(name));
	return {
		headers: Object.fromEntries(shownHeaders.map((name) => [name, headers[name]])),
		params: params as IDataObject,
		query: hideSecrets(Object.fromEntries(shownQuery), hidden) as IDataObject,
		body: hideSecrets(body, hidden) as IDataObject,
		verified: proof !== undefined,
		verifiedBy: proof ?? null,
		receivedAt: new Date(receivedAt).toISOString(),
	};
}
