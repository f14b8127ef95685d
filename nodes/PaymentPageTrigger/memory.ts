import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { LimitedMap } from '../shared/queue';
import type { TriggerCredential, TriggerKeys } from './keys';
import type { RegistrationRecord } from './registration/record';

export type NodeContext = IHookFunctions | IWebhookFunctions;

/** What a process remembers of a trigger, until it ends or has met a thousand others since. */
export interface TriggerMemory {
	record: RegistrationRecord; // the newest that this process has seen
	registered?: { fingerprint: string; keys: TriggerKeys }; // count while it is the record's
	credential?: { id: string; readAt: number; value: Promise<TriggerCredential> }; // for a second
	servedTest?: number; // listen time of the test that has its copy
	shownTest?: unknown; // the test that has shown its event: n8n may end it after the next one
	readonly logged: Map<string, { at: number; count: number }>; // by subject; `count` was left out
}

const memories = new LimitedMap<string, TriggerMemory>(1_000);

/** One trigger, of those of all workflows. */
export interface Trigger {
	identity: string; // of a node by its name: n8n gives a renamed one new static data
	title: string; // for messages
	staticData: IDataObject; // in n8n's database; of a test, for as long as it listens
	memory: TriggerMemory;
}

export function triggerOf(node: NodeContext): Trigger {
	const { id, name } = node.getNode();
	const workflow = node.getWorkflow();
	const identity = JSON.stringify([workflow.id, id, name]);
	const memory = memories.get(identity) ?? { record: { at: 0, merchant: '' }, logged: new Map() };
	memories.set(identity, memory);
	const title = `Payment Page Trigger "${name}" in workflow "${workflow.name ?? ''}"`;
	return { identity, title, staticData: node.getWorkflowStaticData('node'), memory };
}

/** Logs what each event may cause: the first time, and then once a minute with a count by subject. */
export function warnOfEvent(
	{ logger }: Pick<NodeContext, 'logger'>,
	{ title, memory: { logged } }: Pick<Trigger, 'title' | 'memory'>,
	subject: string,
	text: string,
): void {
	const now = Date.now();
	const { at, count } = logged.get(subject) ?? { at: -Infinity, count: 0 };
	const isSilent = Math.abs(now - at) < 60_000;
	logged.set(subject, isSilent ? { at, count: count + 1 } : { at: now, count: 0 });
	const more = count === 0 ? '' : ` (${count} more since the last message)`;
	if (!isSilent) logger.warn(`${title}${more}: ${text}`);
}
