import { waitFor } from '../../../scripts/shared/waitFor';
import { startAnsweringServer } from '../../support/answeringServer';
import { cleanUp } from './cleanUp';
import { node } from './workflow';

/** A node at which executions wait until they are let through. */
export async function startGate() {
	const waiting: Array<() => void> = [];
	let isOpen = false;
	const server = await startAnsweringServer(async () => {
		if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
		return { body: '{}' };
	});
	cleanUp(() => server.stop());
	const parameters = { url: server.baseUrl, options: {} };
	return {
		node: node('Gate', 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2 }),
		untilWaiting: (items: number) =>
			waitFor(() => waiting.length === items, { what: `${items} items to wait at the gate` }),
		open() {
			isOpen = true;
			for (const letThrough of waiting) letThrough();
		},
	};
}
