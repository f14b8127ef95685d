import {
	ICredentialsHelper,
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
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

/** The fields of a credential may hold expressions, which n8n's server evaluates for each item. */
function resolve(
	fields: INodeParameters,
	mode: WorkflowExecuteMode,
	executeData: IExecuteData | undefined,
	item: ICredentialsExpressionResolveValues,
) {
	return item.workflow.expression.getParameterValue(
		fields,
		item.runExecutionData,
		item.runIndex,
		item.itemIndex,
		item.node.name,
		item.connectionInputData,
		mode,
		{},
		executeData,
		false,
		fields,
	);
}

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

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.getType(type).properties;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		item?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		if (item !== undefined) this.onRead?.(item.itemIndex);
		const stored = this.data[type as CredentialName];
		if (stored === undefined) throw new Error(`This test has no credential of type ${type}`);
		const { properties } = this.getType(type);
		const raw = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null) ?? {};
		const filled = item === undefined ? raw : resolve(raw, mode, executeData, item);
		// These two can stand in any credential, beside the properties of its type.
		const { allowedHttpRequestDomains, allowedDomains } = stored;
		return {
			...(filled as INodeParameters),
			...(allowedHttpRequestDomains === undefined ? {} : { allowedHttpRequestDomains }),
			...(allowedDomains === undefined ? {} : { allowedDomains }),
		} as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.getType(type);
		if (typeof authenticate !== 'function') return unused();
		return await authenticate(credentials, request);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		return unused();
	}

	async updateCredentials(): Promise<void> {
		return unused();
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		return unused();
	}

	private getType(name: string): ICredentialType {
		return types[name] ?? unused();
	}
}
