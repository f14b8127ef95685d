import {
	ICredentialsHelper,
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeParameters,
} from 'n8n-workflow';

import { PaymentPagesApiKeyApi } from '../../../credentials/PaymentPagesApiKeyApi.credentials';
import { PaymentPagesPrivateKeyApi } from '../../../credentials/PaymentPagesPrivateKeyApi.credentials';
import type { CredentialName } from '../../../nodes/shared/credential';

const types: Record<string, ICredentialType | undefined> = {
	paymentPagesPrivateKeyApi: new PaymentPagesPrivateKeyApi(),
	paymentPagesApiKeyApi: new PaymentPagesApiKeyApi(),
};

/** The stored fields of each credential that the workflow has. */
export type CredentialData = Partial<Record<CredentialName, INodeParameters>>;

function unused(): never {
	throw new Error('The engine asked for something of credentials that these tests do not supply');
}

const typeOf = (name: string) => types[name] ?? unused();

/**
 * What n8n's server does for the engine: it hands out credentials with their defaults filled in, and
 * lets the credential type itself authenticate. Nothing is encrypted here, since nothing is stored.
 */
export class CredentialsHelper extends ICredentialsHelper {
	constructor(
		private readonly data: CredentialData,
		private readonly onRead?: (itemIndex: number) => void,
	) {
		super();
	}

	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	getCredentialsProperties = (type: string) => typeOf(type).properties;
	preAuthentication = async () => undefined;
	runPreAuthentication = async () => undefined;
	getCredentials = unused;
	updateCredentials = unused;
	updateCredentialsOauthTokenData = unused;

	getDecrypted: ICredentialsHelper['getDecrypted'] = async (...args) => {
		const [, , type, mode, executeData, , item] = args;
		const stored = this.data[type as CredentialName];
		if (stored === undefined) throw new Error(`This test has no credential of type ${type}`);
		const { properties } = typeOf(type);
		const raw = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null) ?? {};
		// Beside the properties of its type, any credential can have these two.
		const { allowedHttpRequestDomains, allowedDomains } = stored;
		if (allowedDomains) Object.assign(raw, { allowedHttpRequestDomains, allowedDomains });
		if (item === undefined) return raw as ICredentialDataDecryptedObject;
		this.onRead?.(item.itemIndex);
		// Its fields may hold expressions, which are evaluated for each item.
		return item.workflow.expression.getParameterValue(
			raw,
			item.runExecutionData,
			item.runIndex,
			item.itemIndex,
			item.node.name,
			item.connectionInputData,
			mode,
			{},
			executeData,
			false,
			raw,
		) as ICredentialDataDecryptedObject;
	};

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = typeOf(type);
		return typeof authenticate === 'function' ? await authenticate(credentials, request) : unused();
	}
}
