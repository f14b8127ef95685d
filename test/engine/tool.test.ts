import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { agentNode, runAgent } from './harness/tool';
import { credentialsFor, useSandbox } from './sandbox';

/** As a tool, the node is called by an agent: as often as it likes, in one execution of the agent. */
const sandbox = useSandbox();

interface Tool {
	invoke(args: IDataObject): Promise<string>;
}

/** An agent that calls its tool once with each list of arguments, at the same time or in turn. */
function callingAgent(calls: IDataObject[], inTurn: boolean): INodeType {
	return agentNode(async function (this: IExecuteFunctions) {
		const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as [Tool];
		const invoked: Array<Promise<string>> = [];
		for (const args of calls) {
			invoked.push(tool.invoke(args));
			if (inTurn) await Promise.allSettled(invoked);
		}
		const answers = await Promise.allSettled(invoked);
		return [
			answers.map((answer) => ({
				json:
					answer.status === 'fulfilled'
						? { answer: JSON.parse(answer.value) as IDataObject[] }
						: { failure: String(answer.reason) },
			})),
		];
	});
}

async function callTool(
	calls: IDataObject[],
	rows: IDataObject[] = [{}],
	settings: Partial<INode> = {},
	options: INodeParameters = {},
	inTurn = false,
): Promise<IDataObject[]> {
	const run = await runAgent({
		agent: callingAgent(calls, inTurn),
		rows,
		parameters: {
			descriptionType: 'auto',
			pageName: "={{ $fromAI('name', 'Name of the page', 'string') }}",
			amount: "={{ $fromAI('amount', 'Amount to pay', 'number') }}",
			options,
		},
		settings,
		credentials: credentialsFor(sandbox.service),
	});
	expect(run.data.resultData.error).toBeUndefined();
	return (run.data.resultData.runData.Agent?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
}

test('makes a page for every call', async () => {
	const calls = [
		{ name: 'Anna', amount: 10 },
		{ name: 'Bert', amount: 20 },
		{ name: 'Carl', amount: 30 },
	];
	const results = await callTool(calls, [{}, {}]);
	expect(results).toEqual(
		calls.map(({ name, amount }) => ({
			answer: [expect.objectContaining({ pageName: name, amount })],
		})),
	);
	expect(sandbox.requests).toHaveLength(3);
});

test('tells the agent what is wrong', async () => {
	const [result] = await callTool([{ name: 'Anna', amount: -1 }]);
	expect(result?.failure).toContain('Amount (amount) must be a number such as 49.90, but is "-1"');
	expect(sandbox.requests).toEqual([]);
});

test('does not send a create again blindly when n8n tries the call again', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'cutAfterStoring' }] });
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const [result] = await callTool([{ name: 'Anna', amount: 10 }], [{}], settings);
	expect(result?.failure).toContain('a page "anna" exists, but it may have existed before');
	expect(sandbox.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
	expect(sandbox.service.state.pages.size).toBe(1);
});

describe.each(['create', 'skip'])('an equal call after a lost create, with "%s",', (choice) => {
	const anna = { name: 'Anna', amount: 10 };
	const callTwice = async () =>
		await callTool([anna, anna], [{}], {}, { ifReferenceExists: choice }, true);
	const first = choice === 'create' ? ['POST', 'GET'] : ['GET', 'POST', 'GET'];

	test('makes the page when the service says that it does not exist', async () => {
		sandbox.service.configure({
			faults: [{ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 }],
		});
		const [lost, made] = await callTwice();
		expect(lost?.failure).toContain('the page "anna" does not exist yet');
		expect(made?.answer).toEqual([expect.objectContaining({ pageName: 'Anna', id: 1 })]);
		expect(sandbox.requests.map(({ method }) => method)).toEqual([...first, 'GET', 'POST']);
	});

	test('makes no second page', async () => {
		sandbox.service.configure({
			faults: [
				{ endpoint: 'create', kind: 'cutAfterStoring', times: 1 },
				// The question after the lost answer.
				{ endpoint: 'validate', kind: 'html', nth: [choice === 'create' ? 1 : 2] },
			],
		});
		const [, second] = await callTwice();
		expect(JSON.stringify(second)).toContain(
			choice === 'create' ? 'exists, but it may have existed before' : '"skipped":true',
		);
		expect(sandbox.requests.map(({ method }) => method)).toEqual([...first, 'GET']);
		expect(sandbox.service.state.pages.size).toBe(1);
	});
});

describe('calls at one moment that ask first', () => {
	const skip = { ifReferenceExists: 'skip' };
	const anna = { name: 'Anna', amount: 10 };

	async function answers(calls: IDataObject[], settings: Partial<INode> = {}) {
		const results = await callTool(calls, [{}], settings, skip);
		return results.map(({ answer, failure }) => failure ?? (answer as IDataObject[])[0]);
	}

	test('make one page if they are equal, and the second names the first', async () => {
		const [first, ...others] = await answers([anna, anna, anna]);
		expect(first).toMatchObject({ id: 1, pageName: 'Anna' });
		const skipped = { skipped: true, exists: true, paymentPageLinkReference: 'anna' };
		const expected = { ...skipped, createdByItem: 0, createdByRun: expect.any(Number) };
		expect(others).toEqual([expected, expected]);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
	});

	test('fail with other values, instead of hiding that a page is missing', async () => {
		const [, second] = await answers([anna, { ...anna, amount: 20 }]);
		expect(second).toMatch(/"anna" already exists, created by item 0 of run \d, with a different/);
	});

	test('do not stop each other: the second makes the page when the first could not', async () => {
		sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', times: 1 }] });
		const [first, second] = await answers([anna, anna]);
		expect(first).toContain('The service rejected the request');
		expect(second).toMatchObject({ id: 1, pageName: 'Anna' });
	});

	test('make no page of a create that was just lost: the service may be busy with it', async () => {
		sandbox.service.configure({
			faults: [{ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 }],
		});
		for (const answer of await answers([anna, anna])) {
			expect(answer).toContain('the page "anna" does not exist yet');
		}
	});
});
