import type { IDataObject } from 'n8n-workflow';

import { waitFor } from '../../../scripts/shared/waitFor';
import type { Outcome, SandboxInTest } from '../../engine/sandbox';
import { itemsFor, parametersFor } from './mappings';
import type { List } from './oracle';
import { isLate, nodeSetting } from './service';

interface Create {
	body: IDataObject;
	fault: string | null;
}

/** One run of a list, and what the service saw of it. */
export interface Run {
	items: IDataObject[];
	outcome: Outcome;
	creates: Create[];
	pages: IDataObject[]; // all pages at the service, those that came late among them
	requestsAfterEnd: number; // requests that came after n8n said that the execution had ended
}

/** Runs the list as it is, and waits until all that is on its way has arrived. */
export async function runList(sandbox: SandboxInTest, list: List): Promise<Run> {
	const { state } = sandbox.service;
	const earlier = state.requests.length;
	const rows = itemsFor(list.table, list.mapping);
	const { settings, parameters } = nodeSetting(list.settings, list.service);
	const all = { operation: 'create', ...parametersFor(list.table, list.mapping), ...parameters };
	const outcome = await sandbox.run({ rows, parameters: all, settings });
	const requestsAtEnd = state.requests.length;
	if (isLate(list.service)) {
		const late = state.requests.filter(({ fault }) => fault === 'latency');
		await waitFor(() => late.every(({ status }) => status !== null), { what: 'late pages' });
	}
	// Whatever still starts does so in a few turns of the event loop.
	for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
	return {
		items: rows,
		outcome,
		creates: state.requests
			.slice(earlier)
			.filter(({ method, url }) => method === 'POST' && url.endsWith('/Add'))
			.map(({ body, fault }) => ({ body: JSON.parse(body.toString()) as IDataObject, fault })),
		pages: [...state.pages.values()].map((page) => ({ ...page })),
		requestsAfterEnd: state.requests.length - requestsAtEnd,
	};
}
