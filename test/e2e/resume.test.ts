import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox';
import { type Execution, runItems, runJson } from '../../scripts/localN8n/execution';
import { waitFor } from '../../scripts/shared/waitFor';
import { question } from '../faults';
import { expectAtService, expectFailure, runWithFaults } from './support/faultRuns';
import { useSharedBed } from './support/sharedBed';
import { anyPage, manualTrigger, paymentPage, rows, workflow } from './support/workflow';

/** A run that did not get to its end, and goes on: by n8n's "Retry On Fail", by hand, or not at all. */
const bed = useSharedBed();

beforeEach(() => bed().sandbox.reset());

const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

function referencesFrom(first: number, last: number): string[] {
	return Array.from({ length: last - first + 1 }, (_value, index) => `page-${first + index}`);
}

function dataOf(references: string[]): IDataObject[] {
	return references.map((reference) => ({ pageName: 'A', paymentPageLinkReference: reference }));
}

function createEach({ maxParallelRequests, ...more }: INodeParameters): INodeParameters {
	const options = maxParallelRequests === undefined ? {} : { maxParallelRequests };
	return { operation: 'create', mappingMode: 'autoMapInputData', ...anyPage, ...more, options };
}

/** References of the pages that the sandbox was asked to create, as they came. */
function referencesSent(): unknown[] {
	return bed()
		.sandbox.state.requests.filter(({ method }) => method === 'POST')
		.map(({ body }) => (JSON.parse(body.toString()) as IDataObject).paymentPageLinkReference);
}

function referencesStored(): string[] {
	const pages = [...bed().sandbox.state.pages.values()];
	return pages.map(({ paymentPageLinkReference }) => paymentPageLinkReference);
}

describe('Retry On Fail', () => {
	const all = referencesFrom(1, 20);

	async function run(nth: number[], parallel: number, settings: Partial<INode> = {}) {
		return runWithFaults(
			bed(),
			createEach({ maxParallelRequests: parallel }),
			[{ endpoint: 'create', kind: 'wrongCode', nth }],
			{ before: rows(dataOf(all)), settings: { ...retryOnFail, ...settings } },
		);
	}

	function expectAllInOrder(execution: Execution): void {
		expect(execution.status).toBe('success');
		expect(referencesStored().toSorted()).toEqual(all.toSorted());
		const items = runItems(execution, 'Payment Page');
		expect(items.map(({ json }) => json.paymentPageLinkReference)).toEqual(all);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(all.map((_one, item) => ({ item })));
	}

	test('goes on at the item that failed', async () => {
		expectAllInOrder(await run([4], 1));
		expect(referencesSent()).toEqual([...referencesFrom(1, 4), ...referencesFrom(4, 20)]);
	});

	test('goes on a second time', async () => {
		expectAllInOrder(await run([4, 10], 1));
		// The tenth request is the sixth page of the second try.
		expect(referencesSent()).toEqual([
			...referencesFrom(1, 4),
			...referencesFrom(4, 9),
			...referencesFrom(9, 20),
		]);
	});

	test('sends nothing twice but what failed, with several requests at a time', async () => {
		expectAllInOrder(await run([4], 5));
		const sent = referencesSent();
		expect(sent.toSorted()).toEqual([...all, sent[3]].toSorted());
	});

	test('sends the first item again when it failed, with the error output', async () => {
		const execution = await run([1], 1, { onError: 'continueErrorOutput' });
		expectAllInOrder(execution);
		expect(referencesSent()).toEqual([...all, 'page-1']);
		expect(runItems(execution, 'Payment Page', 1)).toEqual([]);
	});

	async function createOne(ifReferenceExists: string, ...faults: FaultRule[]): Promise<Execution> {
		const before = rows(dataOf(['page-1']));
		const options = { before, settings: retryOnFail };
		return runWithFaults(bed(), createEach({ ifReferenceExists }), faults, options);
	}

	test('does not send a create again whose page may be there already', async () => {
		const fault: FaultRule = { endpoint: 'create', kind: 'cutAfterStoring' };
		const execution = await createOne('create', fault);
		expectAtService(bed(), 1, 'Add', question, question, question);
		expectFailure(
			execution,
			'The connection to the service was lost before the response was complete; a page "page-1" exists, but it may have existed before',
		);
	});

	test('sends a create again when the service says that there is no such page', async () => {
		const fault: FaultRule = { endpoint: 'create', kind: 'cutBeforeStoring', nth: [1] };
		const execution = await createOne('create', fault);
		expectAtService(bed(), 1, 'Add', question, question, 'Add');
		expect(runJson(execution, 'Payment Page')).toMatchObject([{ id: 1 }]);
	});

	test('recovers a page when the service tells only in the second try that it is there', async () => {
		const execution = await createOne(
			'skip',
			{ endpoint: 'create', kind: 'cutAfterStoring' },
			{ endpoint: 'validate', kind: 'html', nth: [2] },
		);
		expectAtService(bed(), 1, question, 'Add', question, question);
		expect(runJson(execution, 'Payment Page')).toMatchObject([{ recovered: true }]);
	});
});

describe('a run of 100 items that failed at the 40th', () => {
	const all = referencesFrom(1, 100);

	test.each([1, 5])('is finished by another with "skip", %i at a time', async (parallel) => {
		const before = rows(dataOf(all));
		const fault: FaultRule = { endpoint: 'create', kind: 'wrongCode', nth: [40] };
		const options = { maxParallelRequests: parallel };
		const failed = await runWithFaults(bed(), createEach(options), [fault], { before });
		expect(failed.status).toBe('error');
		const stored = referencesStored();
		// What was under way beside the one that failed comes to its end.
		expect(stored.length).toBeGreaterThanOrEqual(39);
		expect(stored.length).toBeLessThan(39 + parallel);
		expect(referencesSent()).toHaveLength(stored.length + 1);
		bed().sandbox.state.requests.length = 0;

		const parameters = createEach({ ...options, ifReferenceExists: 'skip' });
		const finished = await runWithFaults(bed(), parameters, [], { before });
		expect(finished.status).toBe('success');
		const missing = all.filter((reference) => !stored.includes(reference));
		expect(referencesSent().toSorted()).toEqual(missing.toSorted());
		expect(bed().sandbox.state.requests).toHaveLength(100 + missing.length);
		expect(referencesStored().toSorted()).toEqual(all.toSorted());
		const output = runJson(finished, 'Payment Page');
		expect(output.map(({ paymentPageLinkReference }) => paymentPageLinkReference)).toEqual(all);
		const skipped = output.filter((json) => json.skipped === true);
		expect(skipped.map(({ paymentPageLinkReference }) => paymentPageLinkReference)).toEqual(
			stored.toSorted((first, second) => all.indexOf(first) - all.indexOf(second)),
		);
	});
});

it.each<[string, Partial<INode>]>([
	['that stops at a failure', {}],
	['with the error output', { onError: 'continueErrorOutput' }],
	['with Retry On Fail', retryOnFail],
])(
	'a run %s sends nothing more once it is stopped while it waits for a retry',
	async (_name, settings) => {
		const { client, n8n, sandbox } = bed();
		// Logged right before each wait.
		const waits = async () =>
			(await n8n.readLog()).split('Payment Page: retrying a request').length;
		const waitsBefore = await waits();
		sandbox.configure({
			faults: [{ endpoint: 'create', kind: 'tooManyRequests', retryAfterSeconds: 2 }],
		});
		const node = paymentPage(createEach({ maxParallelRequests: 3 }), settings);
		const data = rows(dataOf(referencesFrom(1, 20)));
		const { id } = await bed().save(workflow('Stopped', [manualTrigger(), ...data, node]));
		const executionId = (await client.startRun(id, 'Manual Trigger')) ?? '';
		await waitFor(async () => (await waits()) >= waitsBefore + 3, { what: 'three items to wait' });
		await client.stopExecution(executionId);
		const sent = referencesSent().length;
		const { status } = await client.waitForExecution(id, executionId);
		expect(status).toBe('canceled');

		// It waits twice as long as the stopped run would have, which now could create pages.
		const next = await runWithFaults(
			bed(),
			{ operation: 'validateReference', paymentPageLinkReference: 'page-1' },
			[{ endpoint: 'validate', kind: 'tooManyRequests', retryAfterSeconds: 2, times: 2 }],
		);
		expect(runJson(next, 'Payment Page')).toMatchObject([{ exists: false }]);
		const creates = Array.from({ length: sent }, () => 'Add');
		expectAtService(bed(), 0, ...creates, question, question, question);
		await client.deleteWorkflow(id);
	},
);
