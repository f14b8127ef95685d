import type { IDataObject } from 'n8n-workflow';

import { LimitedMap } from '../limitedMap';
import { fingerprintOf, seal, unseal, type WebhookKeys } from '../secrets';
import { withToken } from '../urlToken';
import { isProofKind, isStronger, type ProofKind } from '../verification/proof';
import { findMerchant } from './merchants';

/** What is registered at the service, and with what. */
export interface Registration {
	/** Without the token. */
	webhookUrl: string;
	/** Whether the registered URL carries the token: it does unless a signature is pinned. */
	hasToken: boolean;
	baseUrl: string;
	merchantId: string;
	apiKey: string;
	keys: WebhookKeys;
}

/** What the node's static data keeps of a registration: nothing that is a secret in plain text. */
interface RegistrationRecord {
	webhookUrl: string;
	baseUrl: string;
	merchantId: string;
	secretFingerprint: string;
	/** Only with a token: nothing else opens it. */
	sealedSecret?: string;
	/** The strongest proof that an event has shown since the registration. */
	strongestProof?: string;
}

const key = 'registration';

function readRecord(staticData: IDataObject): Partial<RegistrationRecord> {
	const record = staticData[key];
	return typeof record === 'object' && record !== null ? (record as RegistrationRecord) : {};
}

export function writeRecord(
	staticData: IDataObject,
	{ webhookUrl, hasToken, baseUrl, merchantId, apiKey, keys }: Registration,
): void {
	const sealedSecret = hasToken ? seal(keys) : undefined;
	if (sealedSecret !== undefined) opened.set(sealedSecret, keys);
	staticData[key] = {
		webhookUrl,
		baseUrl,
		merchantId,
		secretFingerprint: fingerprintOf(keys.secret, apiKey),
		...(sealedSecret === undefined ? {} : { sealedSecret }),
	} satisfies RegistrationRecord;
}

export function clearRecord(staticData: IDataObject): void {
	staticData[key] = {};
}

/** Whether exactly this was registered before. */
export function isRecorded(
	staticData: IDataObject,
	{ webhookUrl, hasToken, baseUrl, merchantId, apiKey, keys }: Registration,
): boolean {
	const record = readRecord(staticData);
	return (
		record.webhookUrl === webhookUrl &&
		(record.sealedSecret !== undefined) === hasToken &&
		record.baseUrl === baseUrl &&
		record.merchantId === merchantId &&
		record.secretFingerprint === fingerprintOf(keys.secret, apiKey)
	);
}

export function hasRecord(staticData: IDataObject): boolean {
	return readRecord(staticData).webhookUrl !== undefined;
}

/**
 * Notes that a published trigger has its merchant's address: it got a genuine event there. A process
 * that did not register it, as after a restart, learns so whom a test has to give the address back to.
 */
export function noteHolder(staticData: IDataObject, node: string, keys: WebhookKeys): void {
	const { webhookUrl, baseUrl, merchantId, sealedSecret } = readRecord(staticData);
	if (webhookUrl === undefined || baseUrl === undefined || merchantId === undefined) return;
	const merchant = findMerchant(baseUrl, merchantId);
	if (merchant.holder !== undefined || merchant.borrower !== undefined) return;
	const url = sealedSecret === undefined ? webhookUrl : withToken(webhookUrl, keys.token);
	merchant.holder = { node, url, secret: keys.secret };
}

/** Seals that were opened in this process: an event may come without the token, but signed. */
const opened = new LimitedMap<string, WebhookKeys>(1_000);

/**
 * The keys with which the address was registered; none when this process cannot open their seal.
 *
 * @param token the token that came with the event
 */
export function recordedKeys(staticData: IDataObject, token: string | undefined): WebhookKeys[] {
	const sealed = readRecord(staticData).sealedSecret;
	if (typeof sealed !== 'string') return [];
	if (!opened.has(sealed) && token !== undefined) {
		const keys = unseal(sealed, token);
		if (keys !== undefined) opened.set(sealed, keys);
	}
	const keys = opened.get(sealed);
	return keys === undefined ? [] : [keys];
}

/** Static data reaches the database after the answer; what this process knows holds at once. */
const strongest = new LimitedMap<string, ProofKind>(1_000);

/** The strongest proof that an event has shown since the registration, if it is more than the token. */
export function strongestProof(staticData: IDataObject): ProofKind | undefined {
	const { sealedSecret, strongestProof: stored } = readRecord(staticData);
	const known = sealedSecret === undefined ? undefined : strongest.get(sealedSecret);
	return isProofKind(stored) && isStronger(stored, known) ? stored : known;
}

/**
 * Remembers a proof, so that nothing weaker counts from now on. Only the service can make one, so
 * nobody else can bring this about.
 */
export function noteProof(staticData: IDataObject, kind: ProofKind): void {
	const record = readRecord(staticData);
	const known = strongestProof(staticData);
	const kept = known !== undefined && isStronger(known, kind) ? known : kind;
	if (record.sealedSecret === undefined || kept === 'url token') return;
	strongest.set(record.sealedSecret, kept);
	// The object is replaced as a whole: so n8n sees that it has to be stored.
	if (record.strongestProof !== kept) staticData[key] = { ...record, strongestProof: kept };
}
