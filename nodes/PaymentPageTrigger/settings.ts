import type { IDataObject } from 'n8n-workflow';

import { InvalidFieldError } from '../shared/errors';
import { isBlank, toBoolean, toWebAddress, trimmed } from '../shared/values';
import type { NodeContext } from './memory';
import { kindOf } from './verification/verify';

/** Seconds: seven days, for events that are sent again after an outage. */
export const defaultTolerance = 604_800;

/** What the user chose, read alike when publishing, when testing and by events. */
export interface Settings {
	requiredProof: string; // name of the only proof that counts; '' for any
	toleranceSeconds: number; // how far a signed time may be from now, before or after
	acceptUnverified: boolean;
	fallbackUrl: string; // '' for none
}

/** @throws InvalidFieldError for a setting that would reject every event, or cannot be registered */
export function readSettings(node: Pick<NodeContext, 'getNodeParameter'>): Settings {
	const options = node.getNodeParameter('options', {}) as IDataObject;
	const { requiredProof = '', toleranceSeconds = defaultTolerance, fallbackUrl = '' } = options;
	if (!(Number(toleranceSeconds) > 0)) {
		const advice = '604800 allows for events that are sent again within seven days.';
		throw new InvalidFieldError("'Tolerance (Seconds)'", 'must be greater than 0', advice);
	}
	return {
		requiredProof: toProofName(requiredProof),
		toleranceSeconds: isBlank(requiredProof) ? defaultTolerance : Number(toleranceSeconds),
		acceptUnverified: toBoolean("'Accept Unverified Events'", options.acceptUnverified ?? false),
		fallbackUrl: isBlank(fallbackUrl) ? '' : toWebAddress("'Fallback URL'", fallbackUrl),
	};
}

function toProofName(value: unknown): string {
	const text = typeof value === 'string' ? trimmed(value).replace(/\s+/g, ' ').toLowerCase() : '';
	if (isBlank(value) || kindOf(text) !== undefined) return text;
	const advice = "Copy the text of 'verifiedBy' from an execution, such as: url token";
	throw new InvalidFieldError("'Required Proof'", 'is not a proof', advice);
}
