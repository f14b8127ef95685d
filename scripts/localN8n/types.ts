import type { IConnections, IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';

export type Owner = Record<'email' | 'password' | 'firstName' | 'lastName', string>;

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
	staticData?: IDataObject | null; // what nodes keep between executions, by `node:NAME`
}

export type StoredCredential = Record<'id' | 'name' | 'type', string>;

/** A credential with its values in clear text. */
export type CredentialContent = Omit<StoredCredential, 'id'> & { data: IDataObject };

export type ExecutionSummary = Record<'id' | 'workflowId' | 'mode' | 'status', string>;

/** How far n8n is with switching a workflow's triggers on. */
export interface PublicationStatus {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ errorMessage: string | null }>;
}
