import type { IDataObject, IHookFunctions } from 'n8n-workflow';

/** What belongs to one trigger, of those of all workflows. */
export interface TriggerNode {
	identity: string;
	name: string;
	workflowName: string;
	/** What n8n keeps for it in the database. */
	staticData: IDataObject;
}

type NodeFunctions = Pick<IHookFunctions, 'getWorkflow' | 'getNode' | 'getWorkflowStaticData'>;

export function triggerNodeOf(functions: NodeFunctions): TriggerNode {
	const { id, name } = functions.getNode();
	const workflow = functions.getWorkflow();
	return {
		identity: `${workflow.id ?? ''} ${id}`,
		name,
		workflowName: workflow.name ?? '',
		staticData: functions.getWorkflowStaticData('node'),
	};
}
