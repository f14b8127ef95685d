import type { TriggerInTest } from './useTrigger';

/** Addresses of all registrations that the service saw, oldest first; `#` stands for any token. */
export function addresses(trigger: TriggerInTest): string[] {
	return trigger.registrations.map(({ webhookUrl }) =>
		webhookUrl.replace(/token=[0-9a-f]{32}$/, 'token=#'),
	);
}

export function withToken(url: string): string {
	return `${url}?token=#`;
}

/** The texts of a level in the log. */
export function logged(trigger: TriggerInTest, level: 'warn' | 'error'): string[] {
	return trigger.log.filter((line) => line.level === level).map(({ message }) => message);
}

/** The payments that outputs are about, in an order that does not depend on time. */
export function paymentIds(outputs: Array<{ body?: unknown }>): unknown[] {
	return outputs.map(({ body }) => (body as { paymentId?: unknown }).paymentId).sort();
}
