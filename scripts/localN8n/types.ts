import type { IConnections, IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A workflow as people export and import it. */
export interface WorkflowContent {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** A workflow as n8n stores it. */
export interface StoredWorkflow extends WorkflowContent {
	id: string;
	versionId: string;
	active: boolean;
	/** What nodes keep between executions, by `node:NAME`. */
	staticData?: IDataObject | null;
}

/** A credential with its values in clear text. */
export interface CredentialContent {
	name: string;
	type: string;
	data: IDataObject;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	mode: string;
	status: string;
}
