import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { LimitedMap } from '../shared/queue';
import type { TriggerCredential, TriggerKeys } from './keys';
import type { RegistrationRecord } from './registration/record';

/**
 * What a process remembers of a trigger. It is forgotten when the process ends, and when a thousand
 * other triggers were met since.
 */
export interface TriggerMemory {
	/** The newest record that this process has seen (registration/record.ts). */
	record: RegistrationRecord;
	/** The keys that were registered; they count while their fingerprint is the record's. */
	registered?: { fingerprint: string; keys: TriggerKeys };
	/** The credential, for a second (keys.ts). */
	credential?: { id: string; readAt: number; value: Promise<TriggerCredential> };
	/** Whether the last activation failed: n8n then ends what never began. Until it does. */
	hasFailed?: boolean;
	/** The listen time of the test that has its copy, or to which one is on its way. */
	servedTest?: number;
	/** ID of the test that has shown its event: others can arrive before n8n ends it. */
	shownTest?: unknown;
	/** By subject: when a message was logged, and how many were left out since (log.ts). */
	readonly logged: Map<string, { at: number; count: number }>;
}

const memories = new LimitedMap<string, TriggerMemory>(1_000);

/** One trigger, of those of all workflows. */
export interface Trigger {
	/** A renamed node is another one: n8n gives it static data of its own. */
	identity: string;
	name: string;
	workflowName: string;
	/** What n8n keeps for it in the database; in a test, for as long as that listens. */
	staticData: IDataObject;
	memory: TriggerMemory;
}

export function triggerOf(node: IHookFunctions | IWebhookFunctions): Trigger {
	const { id, name } = node.getNode();
	const workflow = node.getWorkflow();
	const identity = JSON.stringify([workflow.id, id, name]);
	let memory = memories.get(identity);
	if (memory === undefined) {
		memory = { record: { at: 0, merchant: '' }, logged: new Map() };
		memories.set(identity, memory);
	}
	const staticData = node.getWorkflowStaticData('node');
	return { identity, name, workflowName: workflow.name ?? '', staticData, memory };
}
