import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import type {
	ICredentialsHelper,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

function unused(): never {
	throw new Error('The engine asked for something of the server that these tests do not supply');
}

const baseUrl = 'http://n8n.example';

/** What n8n's server hands to the engine with every execution. */
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
		restApiUrl: `${baseUrl}/rest`,
		instanceBaseUrl: `${baseUrl}/`,
		formBaseUrl: `${baseUrl}/form`,
		formWaitingBaseUrl: `${baseUrl}/form-waiting`,
		formTestBaseUrl: `${baseUrl}/form-test`,
		webhookBaseUrl: `${baseUrl}/webhook`,
		webhookWaitingBaseUrl: `${baseUrl}/webhook-waiting`,
		webhookTestBaseUrl: `${baseUrl}/webhook-test`,
		mcpBaseUrl: `${baseUrl}/mcp`,
		mcpTestBaseUrl: `${baseUrl}/mcp-test`,
		logAiEvent: () => undefined,
		executeWorkflow: unused,
		getRunExecutionData: unused,
		getRuntimeCredential: unused,
		startRunnerTask: unused,
	};
}
