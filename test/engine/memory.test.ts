import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startAnsweringServer } from './answeringServer';
import { lookNode, rowsNode } from './harness/helperNodes';
import { loadPaymentPage } from './harness/nodeTypes';
import { credentialsOf, nodeOf, startWorkflow } from './harness/workflow';
import { anyPage, automatic, credentialsFor, useSandbox } from './sandbox';

/** What the node remembers, it remembers for one run; between runs the service's answer counts. */
const sandbox = useSandbox();

/** Nodes one after the other, each with its own parameters, of one execution. */
async function runInTurn(...steps: INodeParameters[]) {
	const names = steps.map((_step, index) => `P${index}`);
	const credentials = credentialsFor(sandbox.service);
	const run = await startWorkflow({
		nodes: [
			nodeOf('Rows', 'rows'),
			...steps.map((step, index) =>
				nodeOf(`P${index}`, 'paymentPage', {
					parameters: { ...anyPage, ...step },
					credentials: credentialsOf(credentials),
				}),
			),
		],
		connections: Object.fromEntries(
			['Rows', ...names.slice(0, -1)].map((name, index) => [
				name,
				{ main: [[{ node: `P${index}`, type: 'main', index: 0 }]] },
			]),
		),
		nodeTypes: { rows: rowsNode([{}]), look: lookNode, paymentPage: loadPaymentPage() },
		credentials,
	});
	const { runData, error } = run.data.resultData;
	const last = runData[names.at(-1) ?? '']?.[0]?.data?.main?.[0]?.[0]?.json;
	return { last, error, methods: sandbox.requests.map(({ method }) => method) };
}

const create = (amount: string): INodeParameters => ({
	pageName: 'A',
	amount,
	paymentPageLinkReference: 'a',
	ifReferenceExists: 'skip',
});

const update = (updateFields: IDataObject): INodeParameters => ({
	operation: 'update',
	paymentPageLinkReference: 'a',
	updateFields: updateFields as INodeParameters,
});

test('a page that a node before has made is asked for', async () => {
	const { last, methods } = await runInTurn(create('5'), create('5'));
	expect(last).toEqual({
		skipped: true,
		exists: true,
		id: null,
		paymentPageLink: null,
		paymentPageLinkReference: 'a',
	});
	expect(methods).toEqual(['GET', 'POST', 'GET']);
});

test('a page that was deleted meanwhile is asked for', async () => {
	const { methods } = await runInTurn(create('5'), update({ isDeleted: true }), create('5'));
	expect(methods.slice(0, 4)).toEqual(['GET', 'POST', 'POST', 'GET']);
});

test('a page that was updated meanwhile is skipped, for the service says that it is there', async () => {
	const { last, error } = await runInTurn(create('5'), update({ amount: '6' }), create('6'));
	expect(error).toBeUndefined();
	expect(last).toMatchObject({ skipped: true });
});

test('ten thousand rows with one reference on purpose are remembered once', async () => {
	const rows = Array.from({ length: 300 }, () => ({ paymentPageLinkReference: 'same' }));
	const { output } = await sandbox.run({ rows, parameters: automatic('create') });
	expect(output).toHaveLength(300);
});

describe('the answer to a create is compared with the request', () => {
	const row = { pageName: 'A', amount: '49,90', isFixedAmount: true, isTestMode: true };

	async function answeredWith(data: IDataObject, settings = {}) {
		const server = await startAnsweringServer(() => ({
			body: JSON.stringify({ responseCode: '00', data }),
		}));
		const outcome = await sandbox.run({
			rows: [row],
			parameters: automatic('create'),
			credentials: credentialsFor(sandbox.service, { baseUrl: server.baseUrl }),
			settings,
		});
		await server.stop();
		return { ...outcome, requests: server.requests };
	}

	const page = { id: 17, paymentPageLink: 'https://pay.example/a' };

	test.each([
		[{ amount: 4990 }, "'Amount' 4990"],
		[{ amount: 0 }, "'Amount' 0"],
		[{ amount: '49' }, "'Amount' 49"],
		[{ isFixedAmount: false }, "'Fixed Amount' false"],
		[{ amount: 49.9, isTestMode: false }, "'Test Mode' false"],
	])('%j is an error with the ID and the link', async (other, told) => {
		const { error, output } = await answeredWith({ ...page, ...other });
		expect(error?.message).toBe(
			`The service created another page than was asked for: ${told} (ID 17, https://pay.example/a)`,
		);
		expect(error?.description).not.toContain('Nothing was sent.');
		expect(output).toEqual([]);
	});

	test.each([
		{},
		{ amount: 49.9, isFixedAmount: true, isTestMode: true },
		{ amount: '49.90' },
		{ amount: null, isTestMode: null, isFixedAmount: 'yes' },
		{ pageName: 'Another' },
	])('%j is taken as it is', async (same) => {
		const { output } = await answeredWith({ ...page, ...same });
		expect(output[0]?.json).toMatchObject(page);
	});

	test('no try sends it again, and each gives the same error', async () => {
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { error, requests } = await answeredWith({ ...page, amount: 1 }, settings);
		expect(error?.message).toContain('(ID 17, https://pay.example/a)');
		expect(requests).toHaveLength(1);
	});
});
