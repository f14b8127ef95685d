import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox';
import { runJson } from '../../scripts/localN8n/execution';
import {
	busy,
	cutAfter,
	cutBefore,
	type Fault,
	final,
	notStored,
	question,
	refused,
	repeatable,
	slow,
	stored,
} from '../faults';
import { expectAtService, expectFailure, expectOutput, runWithFaults } from './support/faultRuns';
import { useSharedBed } from './support/sharedBed';
import { addPage } from './support/triggerWorkflow';
import { anyPage, rows } from './support/workflow';

/**
 * One trouble of the service of each kind with every operation: what the sandbox holds at the end,
 * which requests it saw, and what n8n reports. The engine tests have all of them.
 */
const bed = useSharedBed({
	webhookSecret: 'a secret of the test',
});

const chosen = [
	'no answer',
	'web page',
	'cut before storing',
	'cut after storing',
	'another code',
	'too many requests, with Retry-After',
	'trickling',
];

function oneOfEachKind<Case extends [name: string, ...others: unknown[]]>(cases: Case[]): Case[] {
	return cases.filter(([name]) => chosen.includes(name));
}

beforeEach(() => bed().sandbox.reset());

const fields = { pageName: 'A', paymentPageLinkReference: 'a' };
const create: INodeParameters = { operation: 'create', ...anyPage, ...fields };
const createOrSkip: INodeParameters = { ...create, ifReferenceExists: 'skip' };
const merchantId = '1002003004005006007';

const nextTime =
	"Before you run again, set 'If Reference Exists' to 'Skip', so that no page is created twice.";
const askedFirst = 'Run again a little later: the node checks first.';
const toGoOn = 'Check the page at the service before you run again.';

async function runCreate(parameters: INodeParameters, fault: Fault, ...more: FaultRule[]) {
	return runWithFaults(bed(), parameters, [{ endpoint: 'create', ...fault }, ...more]);
}

describe('create, without asking first', () => {
	test.each(oneOfEachKind(notStored))(
		'%s: says that the page does not exist',
		async (_name, fault, message) => {
			const execution = await runCreate(create, fault);
			expectAtService(bed(), 0, 'Add', question);
			expectFailure(execution, `${message}; the page "a" does not exist yet`, nextTime);
		},
	);

	test.each(oneOfEachKind(stored))('%s: says that a page exists', async (_name, fault, message) => {
		const execution = await runCreate(create, fault);
		expectAtService(bed(), 1, 'Add', question);
		const finding = 'a page "a" exists, but it may have existed before';
		expectFailure(execution, `${message}; ${finding}`, toGoOn);
	});
});

describe('create, asking first', () => {
	test.each(oneOfEachKind(notStored))(
		'%s: says that the page does not exist',
		async (_name, fault, message) => {
			const execution = await runCreate(createOrSkip, fault);
			expectAtService(bed(), 0, question, 'Add', question);
			expectFailure(execution, `${message}; the page "a" does not exist yet`, askedFirst);
		},
	);

	test.each(oneOfEachKind(stored))('%s: recovers the page', async (_name, fault) => {
		const execution = await runCreate(createOrSkip, fault);
		expectAtService(bed(), 1, question, 'Add', question);
		expectOutput(execution, {
			...fields,
			id: null,
			paymentPageLink: null,
			isFixedAmount: false,
			recovered: true,
		});
	});

	test.each(oneOfEachKind(final))(
		'%s as answer to the question: creates nothing',
		async (_name, fault, message) => {
			const atQuestion: FaultRule = { endpoint: 'validate', ...fault };
			const execution = await runWithFaults(bed(), createOrSkip, [atQuestion]);
			expectAtService(bed(), 0, question);
			expectFailure(execution, message);
		},
	);

	test('says so when the service does not tell either whether the page is there', async () => {
		const atSecondQuestion: FaultRule = { endpoint: 'validate', kind: 'html', nth: [2] };
		const [, fault, message] = cutAfter;
		const execution = await runCreate(createOrSkip, fault, atSecondQuestion);
		expectAtService(bed(), 1, question, 'Add', question);
		const finding = 'it could not be determined whether the page "a" was created';
		expectFailure(execution, `${message}; ${finding}`, askedFirst);
	});
});

describe.each([
	{ name: 'create, without asking first', parameters: create, asked: [] },
	{ name: 'create, asking first', parameters: createOrSkip, asked: [question] },
])('$name', ({ parameters, asked }) => {
	test.each([refused])('%s: fails', async (_name, fault, message) => {
		const execution = await runCreate(parameters, fault);
		expectAtService(bed(), 0, ...asked, 'Add');
		expectFailure(execution, message);
	});

	test.each(oneOfEachKind(busy))('%s: is sent again', async (_name, fault) => {
		const execution = await runCreate(parameters, { ...fault, times: 1 });
		expectAtService(bed(), 1, ...asked, 'Add', 'Add');
		expectOutput(execution, expect.objectContaining({ ...fields, id: 1 }));
	});

	test.each(oneOfEachKind(slow))('%s: is waited for', async (_name, fault) => {
		const execution = await runCreate(parameters, fault);
		expectAtService(bed(), 1, ...asked, 'Add');
		expectOutput(execution, expect.objectContaining({ ...fields, id: 1 }));
	});
});

describe.each([
	{
		operation: 'update',
		parameters: { paymentPageLinkReference: 'a', updateFields: { description: 'New' } },
		endpoint: 'update',
		request: 'Update',
		output: {
			updated: true,
			paymentPageLinkReference: 'a',
			responseMessage: 'Payment page updated successfully',
		},
	},
	{
		operation: 'validateReference',
		parameters: { paymentPageLinkReference: 'a' },
		endpoint: 'validate',
		request: question,
		output: { paymentPageLinkReference: 'a', exists: true, available: false, isValid: true },
	},
	{
		operation: 'register',
		parameters: { resource: 'webhook', webhookUrl: 'https://shop.example/x' },
		endpoint: 'register',
		request: 'RegisterWebhook',
		output: {
			registered: true,
			webhookUrl: 'https://shop.example/x/',
			merchantId,
			responseMessage: 'Webhook registered successfully',
		},
	},
] as const)('$operation', ({ operation, parameters, endpoint, request, output }) => {
	async function run(fault: Fault) {
		await addPage(bed().sandbox, 'a');
		bed().sandbox.state.requests.length = 0;
		return runWithFaults(bed(), { operation, ...parameters }, [{ endpoint, ...fault }]);
	}

	test.each(oneOfEachKind(repeatable))('%s: is sent again', async (_name, fault) => {
		const execution = await run({ ...fault, times: 1 });
		expectAtService(bed(), 1, request, request);
		expectOutput(execution, output);
	});

	test.each(oneOfEachKind(final))('%s: fails', async (_name, fault, message) => {
		const execution = await run(fault);
		expectAtService(bed(), 1, request);
		expectFailure(execution, message);
	});

	test.each(oneOfEachKind(slow))('%s: is waited for', async (_name, fault) => {
		const execution = await run(fault);
		expectAtService(bed(), 1, request);
		expectOutput(execution, output);
	});
});

test('tells each item its own trouble on the error output', async () => {
	const data = ['a', 'b', 'c', 'd'].map((pageName) => ({ pageName }));
	const execution = await runWithFaults(
		bed(),
		{
			operation: 'create',
			mappingMode: 'autoMapInputData',
			...anyPage,
			options: { maxParallelRequests: 1 },
		},
		[
			{ endpoint: 'create', nth: [1], kind: 'cutBeforeStoring' },
			{ endpoint: 'create', nth: [3], kind: 'numericCode' },
			{ endpoint: 'create', nth: [4], kind: 'wrongCode', code: '91', message: 'Try tomorrow' },
		],
		{ before: rows(data), settings: { onError: 'continueErrorOutput' } },
	);
	expectAtService(bed(), 2, 'Add', question, 'Add', 'Add', question, 'Add');
	expectOutput(execution, expect.objectContaining({ id: 1, pageName: 'b' }));
	expect(runJson(execution, 'Payment Page', 1)).toMatchObject([
		{ pageName: 'a', error: `${cutBefore[2]}; the page "a" does not exist yet` },
		{ pageName: 'c', error: expect.stringContaining('page "c" exists, but it may have existed') },
		{ pageName: 'd', error: refused[2] },
	]);
});
