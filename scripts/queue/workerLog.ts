import type { N8nInstance } from '../localN8n/instance';

/** The ids of the executions that a worker has begun, as its log tells. */
export async function executionsOf(worker: Pick<N8nInstance, 'readLog'>): Promise<string[]> {
	const log = await worker.readLog();
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);
}
