import type { SandboxSettings } from '../settings';
import type { RecordedRequest } from '../state';
import { errorCodes, ServiceError } from './envelope';

export type KeyName = 'privateKey' | 'apiKey';

/** Which of the merchant's keys an `Authorization: Bearer <token>` header carries. */
export function keyUsed(
	settings: SandboxSettings,
	authorization: string | undefined,
): RecordedRequest['keyUsed'] {
	if (authorization === undefined) return 'none';
	if (authorization === `Bearer ${settings.privateKey}`) return 'privateKey';
	if (authorization === `Bearer ${settings.apiKey}`) return 'apiKey';
	return 'other';
}

/** Each endpoint takes exactly one of the two keys (docs/interface.md, "Authentication"). */
export function requireKey(request: RecordedRequest, expected: KeyName): void {
	if (request.keyUsed === expected) return;
	const name = expected === 'privateKey' ? 'private key' : 'API key';
	throw new ServiceError(
		errorCodes.wrongKey,
		request.keyUsed === 'none'
			? `Authorization header missing: this endpoint takes the merchant's ${name}`
			: `Unauthorized: this endpoint takes the merchant's ${name}`,
		401,
	);
}
