import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { CredentialName } from '../../shared/credential';

/**
 * Tells n8n which credential an operation uses; nobody sees it.
 *
 * Of all forms this is the one with which the panel shows exactly one selector of the right type
 * (n8n facts, "The declarative engine"). The option "none" keeps the editor from taking this for the
 * node's main choice of authentication, which would offer both types for every operation.
 */
export function authenticationProperty(
	credential: CredentialName,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Authentication',
		name: 'authentication',
		type: 'hidden',
		options: [{ name: 'None', value: 'none' }],
		default: credential,
		displayOptions,
	};
}
