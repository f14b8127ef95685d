import type { SandboxSettings } from '../settings';
import { errorCodes, ServiceError } from './envelope';

/** Refuses a merchant that is not the sandbox's; one that is not given is taken from the key. */
export function requireMerchant(settings: SandboxSettings, merchantId: string | undefined): void {
	if (merchantId === undefined || BigInt(merchantId) === BigInt(settings.merchantId)) return;
	throw new ServiceError(
		errorCodes.invalidMerchant,
		'merchantId is not the merchant that this key belongs to',
	);
}
