import type { IDataObject } from 'n8n-workflow';

import { fingerprintOf, seal, unseal } from '../../shared/secrets';

/** What is registered at the service, and with what. */
export interface Registration {
	/** Without the token. */
	webhookUrl: string;
	baseUrl: string;
	merchantId: string;
	secret: string;
}

/** What the node's static data keeps of a registration: nothing that is a secret in plain text. */
interface RegistrationRecord {
	webhookUrl: string;
	baseUrl: string;
	merchantId: string;
	secretFingerprint: string;
	sealedSecret: string;
}

const key = 'registration';

function readRecord(staticData: IDataObject): Partial<RegistrationRecord> {
	const record = staticData[key];
	return typeof record === 'object' && record !== null ? (record as RegistrationRecord) : {};
}

export function writeRecord(
	staticData: IDataObject,
	{ secret, ...registration }: Registration,
	instanceId: string,
): void {
	staticData[key] = {
		...registration,
		secretFingerprint: fingerprintOf(secret, instanceId),
		sealedSecret: seal(secret, instanceId),
	} satisfies RegistrationRecord;
}

export function clearRecord(staticData: IDataObject): void {
	staticData[key] = {};
}

/** Whether exactly this was registered before. */
export function isRecorded(
	staticData: IDataObject,
	{ secret, webhookUrl, baseUrl, merchantId }: Registration,
	instanceId: string,
): boolean {
	const record = readRecord(staticData);
	return (
		record.webhookUrl === webhookUrl &&
		record.baseUrl === baseUrl &&
		record.merchantId === merchantId &&
		record.secretFingerprint === fingerprintOf(secret, instanceId)
	);
}

export function recordedUrl(staticData: IDataObject): string | undefined {
	return readRecord(staticData).webhookUrl;
}

/** The last seal that was opened: opening costs more than verifying an event. */
let opened: { sealed: string; secret: string | undefined } | undefined;

/** The secret that was registered; undefined when none was, or on another n8n. */
export function recordedSecret(staticData: IDataObject, instanceId: string): string | undefined {
	const sealed = readRecord(staticData).sealedSecret;
	if (typeof sealed !== 'string') return undefined;
	if (opened?.sealed !== sealed) opened = { sealed, secret: unseal(sealed, instanceId) };
	return opened.secret;
}
