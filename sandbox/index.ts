import { Sandbox } from './sandbox';
import { createServer } from './server';
import type { SettingsChange } from './settings';

export { mixedFaults } from './faults';
export { forgeries, forgeryKinds } from './forgeries';
export { PaymentRefused } from './payments';
export { NotPossible, type Sandbox } from './sandbox';
export type { FaultKind, FaultRule, SettingsChange } from './settings';
export type { Delivery, DeliveryTry, RecordedRequest } from './state';

export interface SandboxOptions extends SettingsChange {
	/** Port on 127.0.0.1; 0, the default, takes a free one. */
	port?: number;
}

/**
 * Starts a server on 127.0.0.1 that speaks the payment page interface and hosts the pages that it
 * creates. Rejects with the system's error (`code: 'EADDRINUSE'`) when the port is taken.
 */
export async function startSandbox({
	port = 0,
	...settings
}: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = new Sandbox(settings);
	const server = createServer(sandbox);
	sandbox.closeServer = () => server.close();
	sandbox.url = await server.listen({ host: '127.0.0.1', port });
	return sandbox;
}
