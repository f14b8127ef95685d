import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHookFunctions,
	IWebhookFunctions,
	Logger,
} from 'n8n-workflow';

import type { ServiceCredential } from '../shared/credential';
import { LimitedMap } from '../shared/queue';
import type { ProofKind, WebhookKeys } from './verification/verify';

export type NodeContext = IHookFunctions | IWebhookFunctions;

export interface TriggerKeys extends WebhookKeys {
	testKey: string; // signs what a test and the published workflow say to each other; in no address
}

/** The credential of the trigger, with what follows from it. */
export interface TriggerCredential extends ServiceCredential {
	keys: TriggerKeys;
	merchant: string; // fingerprint of base URL and merchant ID
	data: ICredentialDataDecryptedObject; // as n8n gave it: a request with it reads no database
}

/**
 * What the static data keeps of a registration: no secret, since n8n copies it into each execution
 * (fact 38). A late write may bring an old record back (fact 41), so of two records the newer counts.
 */
export interface RegistrationRecord {
	at: number; // milliseconds since 1970: when it was registered or ended
	merchant: string; // fingerprint
	fingerprint?: string; // of the registration, until it ends
	strongestProof?: ProofKind; // that an event has shown
	testListensUntil?: number; // milliseconds since 1970
}

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
	identity: string; // of a node by its name: a renamed one has other static data (fact 39)
	staticData: IDataObject; // in n8n's database; of a test, for as long as it listens
	memory: TriggerMemory;
	warn: (subject: string, text: string) => void; // of what each event may cause
}

export function triggerOf(node: NodeContext): Trigger {
	const { id, name } = node.getNode();
	const workflow = node.getWorkflow();
	const identity = JSON.stringify([workflow.id, id, name]);
	const memory = memories.get(identity) ?? { record: { at: 0, merchant: '' }, logged: new Map() };
	memories.set(identity, memory);
	const title = `Payment Page Trigger "${name}" in workflow "${workflow.name ?? ''}"`;
	const warn = warnerOf(title, memory, node.logger);
	return { identity, staticData: node.getWorkflowStaticData('node'), memory, warn };
}

/** Logs by subject: the first time, and then once a minute with a count. */
function warnerOf(title: string, { logged }: TriggerMemory, logger: Logger): Trigger['warn'] {
	return (subject, text) => {
		const now = Date.now();
		const { at, count } = logged.get(subject) ?? { at: -Infinity, count: 0 };
		const isSilent = Math.abs(now - at) < 60_000;
		logged.set(subject, isSilent ? { at, count: count + 1 } : { at: now, count: 0 });
		const more = count === 0 ? '' : ` (${count} more since the last message)`;
		if (!isSilent) logger.warn(`${title}${more}: ${text}`);
	};
}
