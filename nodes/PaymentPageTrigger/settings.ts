import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InvalidFieldError } from '../shared/errors';
import { isBlank, toBoolean, toWebAddress, trimmed } from '../shared/values';
import { withToken } from './addresses';
import { kindOf, type WebhookKeys } from './verification/verify';

/** Seconds; seven days, so that an event which is sent again after an outage still counts. */
export const defaultTolerance = 604_800;

/** What the user chose, read alike when publishing, when testing and by events. */
export interface Settings {
	/** Name of the only proof that counts; '' for any. */
	requiredProof: string;
	/** How far a signed time may be from n8n's clock, before or after. */
	toleranceSeconds: number;
	acceptUnverified: boolean;
	/** Takes the place of the trigger's address; '' for none. */
	fallbackUrl: string;
}

/** @throws InvalidFieldError for a setting that would reject every event, or cannot be registered */
export function readSettings(
	node: Pick<IHookFunctions | IWebhookFunctions, 'getNodeParameter'>,
): Settings {
	const options = node.getNodeParameter('options', {}) as IDataObject;
	const { requiredProof = '', toleranceSeconds = defaultTolerance, fallbackUrl = '' } = options;
	const tolerance = Number(toleranceSeconds);
	if (!(tolerance > 0)) {
		throw new InvalidFieldError(
			'Tolerance (Seconds)',
			'must be a number greater than 0',
			'604800 allows for events that are sent again within seven days.',
		);
	}
	return {
		requiredProof: toProofName(requiredProof),
		// Without a required proof, a time only has to make sense.
		toleranceSeconds: isBlank(requiredProof) ? defaultTolerance : tolerance,
		acceptUnverified: toBoolean('Accept Unverified Events', options.acceptUnverified ?? false),
		fallbackUrl: isBlank(fallbackUrl) ? '' : toWebAddress('Fallback URL', fallbackUrl),
	};
}

function toProofName(value: unknown): string {
	if (isBlank(value)) return '';
	const text = typeof value === 'string' ? trimmed(value).replace(/\s+/g, ' ').toLowerCase() : '';
	if (kindOf(text) !== undefined) return text;
	throw new InvalidFieldError(
		'Required Proof',
		'is not a proof',
		"Copy the text of 'verifiedBy' from an execution, such as: url token",
	);
}

/** The address as it is registered. It has no token when the required proof makes that superfluous. */
export function urlToRegister(
	production: string,
	{ requiredProof }: Settings,
	{ token }: WebhookKeys,
): string {
	const needsToken = requiredProof === '' || kindOf(requiredProof) === 'url token';
	return needsToken ? withToken(production, token) : production;
}
