import { sleep, type IDataObject } from 'n8n-workflow';

import type { TriggerNode } from '../triggerNode';

/** What the node's static data holds now, to tell later what changed. */
export function snapshotOf({ staticData }: TriggerNode): IDataObject {
	return { ...staticData };
}

/**
 * Has n8n save what `webhook()` changed although the event starts an execution: while n8n prepares
 * that, it forgets that static data has changed (n8n facts, "Triggers"). So it is told again just
 * after, before it looks.
 */
export function saveStaticData({ staticData }: TriggerNode, before: IDataObject): void {
	const keys = new Set([...Object.keys(before), ...Object.keys(staticData)]);
	if ([...keys].every((key) => staticData[key] === before[key])) return;
	void sleep(0).then(() => Object.assign(staticData, { ...staticData }));
}
