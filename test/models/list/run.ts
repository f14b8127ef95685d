import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { waitFor } from '../../../scripts/shared/waitFor';
import type { Outcome, SandboxInTest } from '../../engine/sandbox';
import { columnsOf } from './columns';
import { itemOf, textOf, type Below } from './mappings';
import type { List } from './oracle';
import { isLate, nodeSettings, optionParameters } from './service';
import type { Table } from './tables';

interface Create {
	body: IDataObject;
	fault: string | null;
}

/** One run of a list, and what the service saw of it. */
export interface Run {
	items: IDataObject[];
	outcome: Outcome;
	creates: Create[];
	/** All pages at the service, those that came late among them. */
	pages: IDataObject[];
	/** Requests that came after n8n said that the execution had ended. */
	requestsAfterEnd: number;
}

function belowParameters(table: Table, mapping: Below): INodeParameters {
	const { description, isTestMode } = mapping;
	const optionalFields: INodeParameters = {};
	if (description !== null) optionalFields.description = textOf(table, description);
	if (Array.isArray(isTestMode)) optionalFields.isTestMode = textOf(table, isTestMode);
	else if (isTestMode !== null) optionalFields.isTestMode = isTestMode;
	return {
		mappingMode: 'defineBelow',
		pageName: textOf(table, mapping.pageName),
		amount: textOf(table, mapping.amount),
		paymentPageLinkReference: textOf(table, mapping.reference),
		optionalFields,
	};
}

export function itemsFor({ table, mapping }: List): IDataObject[] {
	return table.rows.map((_row, row) => {
		if (mapping.mode === 'below') return itemOf(table, row);
		const columns = columnsOf(table, row, mapping).map(({ heading, value }) => [heading, value]);
		return Object.fromEntries(columns) as IDataObject;
	});
}

export function parametersFor({ table, mapping, settings, service }: List): INodeParameters {
	return {
		operation: 'create',
		...(mapping.mode === 'below'
			? belowParameters(table, mapping)
			: { mappingMode: 'autoMapInputData' }),
		isFixedAmount: mapping.isFixedAmount,
		...optionParameters(settings, service),
	};
}

/** Runs the list as it is, and waits until all that is on its way has arrived. */
export async function runList(sandbox: SandboxInTest, list: List): Promise<Run> {
	const { state } = sandbox.service;
	const earlier = state.requests.length;
	const rows = itemsFor(list);
	const settings = nodeSettings(list.settings, list.service);
	const outcome = await sandbox.run({ rows, parameters: parametersFor(list), settings });
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
