import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultRule, Sandbox } from '../../../sandbox';
import { waitFor } from '../../../scripts/shared/waitFor';
import type { Outcome, SandboxInTest } from '../../engine/sandbox';
import { nameIn, rarely, type Drawn } from '../support/drawing';
import { itemsFor, mappings, parametersFor } from './mappings';
import { tables } from './tables';

/** What the service is like, how the node is set up, and a run of both. */

type Fault = Omit<FaultRule, 'endpoint' | 'nth'>;

/** Longer than `timeout`, so the answer is lost and the page comes later. */
const delay = 150;
const timeout = 50;

const createFaults = {
	cutBefore: { kind: 'cutBeforeStoring' },
	cutAfter: { kind: 'cutAfterStoring' },
	failed: { kind: 'serverError' },
	failedAfter: { kind: 'serverError', stored: true },
	unavailable: { kind: 'serverError', status: 503, stored: true },
	webPage: { kind: 'html', stored: true },
	noCode: { kind: 'missingCode' },
	rejected: { kind: 'wrongCode', code: '91', message: 'Try tomorrow' },
	busy: { kind: 'tooManyRequests', retryAfterSeconds: 0 },
	closed: { kind: 'serverError', status: 503, retryAfterSeconds: 0 },
	late: { kind: 'latency', milliseconds: delay },
} satisfies Record<string, Fault>;

const questionFaults = {
	cut: { kind: 'cutBeforeStoring' },
	failed: { kind: 'serverError' },
	webPage: { kind: 'html' },
} satisfies Record<string, Fault>;

const nth = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 });
const times = fc.integer({ min: 1, max: 8 });

export const services = fc.record({
	foldsReferences: fc.boolean(),
	duplicateReferences: fc.constantFrom('allow', 'reject'),
	/** Which creates meet it, counted from 1. */
	create: rarely(1, fc.record({ fault: nameIn(createFaults), nth })),
	/** Questions meet it from the first on, so many times. */
	question: rarely(4, fc.record({ fault: nameIn(questionFaults), times })),
});
type Service = Drawn<typeof services>;

export const settings = fc.record({
	ifReferenceExists: fc.constantFrom('error', 'skip', 'create'),
	onError: fc.constantFrom('stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'),
	retryOnFail: fc.boolean(),
	/** Items that n8n starts together; 0 for all. */
	batchSize: fc.constantFrom(0, 0, 1, 2, 4),
	maxParallelRequests: fc.constantFrom(5, 1, 2),
});

export const isQuiet = ({ create, question }: Service) => create === null && question === null;

/** Whether a create that met the trouble may have made a page, and its answer does not tell. */
export const isInDoubt = ({ create }: Service) =>
	create !== null && !['rejected', 'busy', 'closed'].includes(create.fault);

/** Whether it made none, and the row fails for good. */
export const isUndone = ({ create }: Service) =>
	create !== null && ['cutBefore', 'failed', 'rejected'].includes(create.fault);

export const isLate = ({ create }: Service) => create?.fault === 'late';

export function setUp(sandbox: Sandbox, service: Service): void {
	const { foldsReferences, duplicateReferences, create, question } = service;
	const faults: FaultRule[] = [];
	if (create) faults.push({ endpoint: 'create', nth: create.nth, ...createFaults[create.fault] });
	if (question) {
		const { fault, times } = question;
		faults.push({ endpoint: 'validate', times, ...questionFaults[fault] });
	}
	sandbox.configure({ foldsReferences, duplicateReferences, faults });
}

/** What is set at the node, beside the mapping. */
function nodeSetting(chosen: Drawn<typeof settings>, service: Service) {
	const { ifReferenceExists, maxParallelRequests, batchSize, onError, retryOnFail } = chosen;
	const requestOptions: INodeParameters = isLate(service) ? { timeout } : {};
	if (batchSize > 0) requestOptions.batching = { batch: { batchSize, batchInterval: 1 } };
	// A page that comes late must have come before the next try.
	const retry = { retryOnFail: retryOnFail && !isLate(service), maxTries: 2, waitBetweenTries: 1 };
	return {
		settings: { onError, ...retry },
		parameters: { ifReferenceExists, options: { maxParallelRequests }, requestOptions },
	};
}

export const lists = fc.record({ table: tables, mapping: mappings, settings, service: services });
export type List = Drawn<typeof lists>;

/** One run of a list, and what the service saw of it. */
export interface Run {
	items: IDataObject[];
	outcome: Outcome;
	creates: Array<{ body: IDataObject; fault: string | null }>;
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
