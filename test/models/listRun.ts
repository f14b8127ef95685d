import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { waitFor } from '../../scripts/shared/waitFor';
import type { RecordedRequest } from '../../sandbox';
import type { Outcome, SandboxInTest } from '../engine/sandbox';
import { automaticItems } from './listColumns';
import { amountText, labelText, type Below } from './listMappings';
import type { List } from './listOracle';
import { isLate, nodeSettings, optionParameters } from './listService';
import { headingOf, itemsOf } from './listTables';

/** One run of a list, and what the service saw of it. */
export interface Run {
	items: IDataObject[];
	parameters: INodeParameters;
	outcome: Outcome;
	creates: Create[];
	/** All pages at the service, those that came late among them. */
	pages: IDataObject[];
	/** Requests that came after n8n said that the execution had ended. */
	requestsAfterEnd: number;
}

export interface Create {
	body: IDataObject;
	fault: string | null;
}

function belowParameters({ table }: List, mapping: Below): INodeParameters {
	const { description, isTestMode } = mapping;
	const optionalFields: INodeParameters = {};
	if (description !== null) optionalFields.description = labelText(table, description);
	if (isTestMode !== null) {
		const column = `={{ $json[${JSON.stringify(headingOf(table, 'test'))}] }}`;
		optionalFields.isTestMode = isTestMode === 'column' ? column : isTestMode;
	}
	return {
		mappingMode: 'defineBelow',
		pageName: labelText(table, mapping.pageName),
		amount: amountText(table, mapping.amount),
		paymentPageLinkReference: labelText(table, mapping.reference),
		optionalFields,
	};
}

export function itemsFor({ table, mapping }: List): IDataObject[] {
	return mapping.mode === 'below' ? itemsOf(table) : automaticItems(table, mapping);
}

export function parametersFor(list: List): INodeParameters {
	const { mapping, settings, service } = list;
	return {
		operation: 'create',
		...(mapping.mode === 'below'
			? belowParameters(list, mapping)
			: { mappingMode: 'autoMapInputData' }),
		isFixedAmount: mapping.isFixedAmount,
		...optionParameters(settings, service),
	};
}

const isCreate = ({ method, url }: RecordedRequest) => method === 'POST' && url.endsWith('/Add');

function createOf({ body, fault }: RecordedRequest): Create {
	return { body: JSON.parse(body.toString()) as IDataObject, fault };
}

/** Runs the list as it is, and waits until all that is on its way has arrived. */
export async function runList(sandbox: SandboxInTest, list: List): Promise<Run> {
	const { state } = sandbox.service;
	const earlier = state.requests.length;
	const items = itemsFor(list);
	const parameters = parametersFor(list);
	const settings = nodeSettings(list.settings, list.service);
	const outcome = await sandbox.run({ rows: items, parameters, settings });
	const requestsAtEnd = state.requests.length;
	if (isLate(list.service)) {
		const late = state.requests.filter(({ fault }) => fault === 'latency');
		await waitFor(() => late.every(({ status }) => status !== null), { what: 'late pages' });
	}
	// Whatever still starts does so in a few turns of the event loop.
	for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
	return {
		items,
		parameters,
		outcome,
		creates: state.requests.slice(earlier).filter(isCreate).map(createOf),
		pages: [...state.pages.values()].map((page) => ({ ...page })),
		requestsAfterEnd: state.requests.length - requestsAtEnd,
	};
}
