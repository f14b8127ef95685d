import './environment';

import { HookContext } from 'n8n-core';
import { Workflow, type IHookFunctions } from 'n8n-workflow';

import { PaymentPageTrigger } from '../../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';
import { additionalDataFor } from './additionalData';
import { CredentialsHelper, type CredentialData } from './credentials';
import { NodeTypes } from './nodeTypes';
import { credentialsOf, nodeOf, workflowDataOf } from './workflow';

/** What n8n hands to the trigger when it publishes a workflow. */
export function hookContextFor(credentials: CredentialData): IHookFunctions {
	const node = nodeOf('Payment Page Trigger', 'paymentPageTrigger', {
		typeVersion: 2,
		credentials: credentialsOf(credentials),
	});
	const workflowData = workflowDataOf([node], {});
	const nodeTypes = new NodeTypes({ paymentPageTrigger: new PaymentPageTrigger() });
	const workflow = new Workflow({ ...workflowData, nodeTypes });
	const additionalData = additionalDataFor(workflowData, new CredentialsHelper(credentials));
	return new HookContext(workflow, node, additionalData, 'trigger', 'activate');
}
