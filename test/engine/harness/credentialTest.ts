import './environment';

import { CredentialTestContext } from 'n8n-core';
import type { INodeCredentialTestResult } from 'n8n-workflow';

import { PaymentPage } from '../../../nodes/PaymentPage/PaymentPage.node';
import type { CredentialName } from '../../../nodes/shared/credential';
import { additionalDataFor } from './additionalData';
import { CredentialsHelper, type CredentialData } from './credentials';
import { workflowDataOf } from './workflow';

/** Tests a credential as n8n's server does: with the function that the node names for its type. */
export async function testCredential(
	type: CredentialName,
	{ [type]: data = {} }: CredentialData,
): Promise<INodeCredentialTestResult> {
	const { description, methods } = new PaymentPage();
	const testedBy = description.credentials?.find(({ name }) => name === type)?.testedBy;
	const test = Object.entries(methods.credentialTest).find(([name]) => name === testedBy)?.[1];
	if (test === undefined) throw new Error(`No node tests the credential ${type}`);
	const additionalData = additionalDataFor(workflowDataOf([], {}), new CredentialsHelper({}));
	const context = new CredentialTestContext(additionalData);
	return await test.call(context, { id: '1', name: type, type, data: data as never });
}
