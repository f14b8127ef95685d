import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { cleanCredentialKey, type CredentialName } from './credential';

/**
 * Adds the key as bearer token (docs/interface.md, "Authentication").
 *
 * A function, not n8n's generic expression: it cleans the key, and it spares one evaluation of an
 * expression for every request.
 *
 * @throws InvalidFieldError when the key cannot be right
 */
export function authorize(
	name: CredentialName,
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const key = cleanCredentialKey(name, credentials);
	return { ...request, headers: { ...request.headers, Authorization: `Bearer ${key}` } };
}
