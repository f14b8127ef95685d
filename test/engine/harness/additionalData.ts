import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import type {
	ICredentialsHelper,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

const baseUrl = 'http://n8n.example';

/** What n8n's server hands to the engine with every execution, as far as these tests make use of it. */
export function additionalDataFor(
	workflowData: IWorkflowBase,
	credentialsHelper: ICredentialsHelper,
): IWorkflowExecuteAdditionalData & { hooks: ExecutionLifecycleHooks } {
	return {
		credentialsHelper,
		externalSecretsProxy: new ExternalSecretsProxy(),
		hooks: new ExecutionLifecycleHooks('manual', '1', workflowData),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		variables: {},
		instanceBaseUrl: `${baseUrl}/`,
		webhookWaitingBaseUrl: `${baseUrl}/webhook-waiting`,
		formWaitingBaseUrl: `${baseUrl}/form-waiting`,
		logAiEvent: () => undefined,
	} as Partial<IWorkflowExecuteAdditionalData> as ReturnType<typeof additionalDataFor>;
}
