import type { IDataObject } from 'n8n-workflow';

import { deriveUrlToken, fingerprintOf, seal, unseal } from '../../shared/secrets';

/** What is registered at the service, and with what. */
export interface Registration {
	/** Without the token. */
	webhookUrl: string;
	baseUrl: string;
	merchantId: string;
	apiKey: string;
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
	{ secret, apiKey, ...registration }: Registration,
): void {
	const sealedSecret = seal(secret, deriveUrlToken(secret));
	remember(sealedSecret, secret);
	staticData[key] = {
		...registration,
		secretFingerprint: fingerprintOf(secret, apiKey),
		sealedSecret,
	} satisfies RegistrationRecord;
}

export function clearRecord(staticData: IDataObject): void {
	staticData[key] = {};
}

/** Whether exactly this was registered before. */
export function isRecorded(
	staticData: IDataObject,
	{ secret, apiKey, webhookUrl, baseUrl, merchantId }: Registration,
): boolean {
	const record = readRecord(staticData);
	return (
		record.webhookUrl === webhookUrl &&
		record.baseUrl === baseUrl &&
		record.merchantId === merchantId &&
		record.secretFingerprint === fingerprintOf(secret, apiKey)
	);
}

export function recordedUrl(staticData: IDataObject): string | undefined {
	return readRecord(staticData).webhookUrl;
}

/** Seals that were opened in this process: an event may come without the token, but signed. */
const opened = new Map<string, string>();

/** So that registrations that are long gone do not add up. */
const mostOpened = 100;

function remember(sealed: string, secret: string): void {
	if (opened.size >= mostOpened) opened.clear();
	opened.set(sealed, secret);
}

/**
 * The secret that was registered.
 *
 * @param urlToken the token that came with the event, as the server parsed it
 * @returns undefined when none was registered, or when this process cannot open its seal
 */
export function recordedSecret(staticData: IDataObject, urlToken: unknown): string | undefined {
	const sealed = readRecord(staticData).sealedSecret;
	if (typeof sealed !== 'string') return undefined;
	if (!opened.has(sealed) && typeof urlToken === 'string') {
		const secret = unseal(sealed, urlToken);
		if (secret !== undefined) remember(sealed, secret);
	}
	return opened.get(sealed);
}
