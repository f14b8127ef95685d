import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { agentNode, runAgent } from './harness/tool';
import { anyPage, credentialsFor, useSandbox } from './sandbox';

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
	more: INodeParameters = {},
	inTurn = false,
): Promise<IDataObject[]> {
	const run = await runAgent({
		agent: callingAgent(calls, inTurn),
		rows,
		parameters: {
			descriptionType: 'auto',
			pageName: "={{ $fromAI('name', 'Name of the page', 'string') }}",
			amount: "={{ $fromAI('amount', 'Amount to pay', 'number') }}",
			...anyPage,
			...more,
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
	expect(result?.failure).toContain('\'Amount\' must be a number such as 49.90, but is "-1"');
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

describe('calls at one moment that ask first', () => {
	const skip = {
		ifReferenceExists: 'skip',
		paymentPageLinkReference: "={{ $fromAI('name', 'Name of the page', 'string') }}",
	};
	const anna = { name: 'Anna', amount: 10 };

	async function answers(calls: IDataObject[], settings: Partial<INode> = {}) {
		const results = await callTool(calls, [{}], settings, skip);
		return results.map(({ answer, failure }) => failure ?? (answer as IDataObject[])[0]);
	}

	test('make one page', async () => {
		const [first, ...others] = await answers([anna, anna, anna]);
		expect(first).toMatchObject({ id: 1, pageName: 'Anna' });
		const skipped = { skipped: true, exists: true, paymentPageLinkReference: 'Anna' };
		expect(others).toMatchObject([skipped, skipped]);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'GET']);
	});

	test('do not stop each other: the second makes the page when the first could not', async () => {
		sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', times: 1 }] });
		const [first, second] = await answers([anna, anna]);
		expect(first).toContain('The service rejected the request');
		expect(second).toMatchObject({ id: 1, pageName: 'Anna' });
	});
});
