import { sleep, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';

/** What the node's static data holds now, to tell later what changed. */
export function snapshotOf(node: IWebhookFunctions): IDataObject {
	return { ...node.getWorkflowStaticData('node') };
}

/**
 * Has n8n save what `webhook()` changed although the event starts an execution: while n8n prepares
 * that, it forgets that static data has changed (n8n facts, "Triggers"). So it is told again just
 * after, before it looks.
 */
export function saveStaticData(node: IWebhookFunctions, before: IDataObject): void {
	const staticData = node.getWorkflowStaticData('node');
	const keys = new Set([...Object.keys(before), ...Object.keys(staticData)]);
	if ([...keys].every((key) => staticData[key] === before[key])) return;
	void sleep(0).then(() => Object.assign(staticData, { ...staticData }));
}
