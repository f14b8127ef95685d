import { type Sandbox, type SettingsChange, startSandbox } from '../../../sandbox';
import { N8nClient } from '../../../scripts/localN8n/client';
import { type QueueMode, startQueueMode } from '../../../scripts/queue/queueMode';
import { owner, packedTarball } from './preparedFolder';
import { type Bed, makeBed, startTimeout } from './testBed';

export interface QueueBedOptions {
	sandbox?: SettingsChange;
	/** Settings of all processes of n8n. */
	environment?: Record<string, string>;
}

/** A bed on a new n8n in queue mode; its client talks to n8n through the reverse proxy. */
export interface QueueBed extends Bed {
	queue: QueueMode;
	/** Ends all of it; does nothing the second time. */
	stop(): Promise<void>;
}

/** Starts n8n in queue mode; if that fails, nothing of it stays behind. */
export async function startQueueBed(options: QueueBedOptions = {}): Promise<QueueBed> {
	const sandbox = await startSandbox(options.sandbox);
	try {
		const { environment } = options;
		const queue = await startQueueMode({ tarball: packedTarball(), environment });
		const stop = async (): Promise<void> => {
			await queue.stop();
			await sandbox.stop();
		};
		try {
			const client = new N8nClient(queue.url);
			await client.signIn(owner);
			return { ...(await makeBed(client, sandbox)), queue, stop };
		} catch (error) {
			await queue.stop();
			throw error;
		}
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}

/**
 * Gives the test file that calls it n8n in queue mode from before its first to after its last test.
 * @returns A function that gives the bed inside tests and hooks.
 */
export function useQueueBed(options: QueueBedOptions = {}): () => QueueBed {
	let bed: QueueBed | undefined;
	beforeAll(async () => {
		bed = await startQueueBed(options);
	}, startTimeout);
	afterAll(() => bed?.stop(), 60_000);
	return () => {
		if (!bed) throw new Error('The bed is there in tests and hooks only.');
		return bed;
	};
}

/**
 * What the sandbox sends during `work` goes to one process of n8n, past the reverse proxy: events
 * of payments, events sent again, forged ones.
 */
export async function deliveringTo<T>(
	sandbox: Sandbox,
	{ url }: { url: string },
	work: () => Promise<T>,
): Promise<T> {
	const { registration } = sandbox.state;
	if (!registration) throw new Error('Nothing is registered.');
	const registered = registration.webhookUrl;
	registration.webhookUrl = registered.replace(new URL(registered).origin, url);
	try {
		return await work();
	} finally {
		registration.webhookUrl = registered;
	}
}

/** Pays a page and gives the status with which n8n answered the event, at one process if given. */
export async function payAt(
	sandbox: Sandbox,
	reference: string,
	process?: { url: string },
): Promise<number | null | undefined> {
	const pay = () => sandbox.pay(reference);
	const { deliveries } = await (process ? deliveringTo(sandbox, process, pay) : pay());
	return deliveries.find(({ kind }) => kind === 'event')?.tries[0]?.status;
}
