import type { IDataObject } from 'n8n-workflow';

import type { WebhookKeys } from '../secrets';
import { withoutToken } from '../urlToken';
import { candidatesIn, headerValues, type Headers } from '../verification/headers';
import type { Proof } from '../verification/proof';

/** A received event before anything was left out of it. */
export interface EventParts {
	headers: Headers;
	params: unknown;
	query: Record<string, unknown>;
	/** The token in the address, right or wrong. */
	token: string | undefined;
	body: unknown;
}

/**
 * The item of an event: the shape of n8n's own Webhook node, so that expressions made for it go on
 * working. What the service sent is there as it was sent, but for what would let a reader of the
 * execution forge or repeat an event: the token, and headers that carry a proof or an authorization.
 *
 * @param proof the proof that was found, if any
 * @param receivedAt milliseconds of the clock
 */
export function toOutput(
	{ headers, params, query, token: urlToken, body }: EventParts,
	keys: readonly WebhookKeys[],
	proof: Proof | undefined,
	receivedAt: number,
): IDataObject {
	const carriesKey = (value: unknown) =>
		typeof value === 'string' &&
		keys.some(
			({ secret, token }) =>
				value.includes(token) || candidatesIn(value, secret.length).includes(secret),
		);
	const shownHeaders = Object.keys(headers).filter(
		(name) =>
			name !== 'authorization' &&
			name !== proof?.header &&
			!headerValues(headers, name).some(carriesKey),
	);
	const shownQuery = Object.entries(withoutToken(query, urlToken)).filter(
		([, value]) => !carriesKey(value),
	);
	return {
		headers: Object.fromEntries(shownHeaders.map((name) => [name, headers[name]])),
		params: params as IDataObject,
		query: Object.fromEntries(shownQuery),
		body: body as IDataObject,
		verified: proof !== undefined,
		verifiedBy: proof?.name ?? null,
		receivedAt: new Date(receivedAt).toISOString(),
	};
}
