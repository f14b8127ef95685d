import { lookNode, rowsNode } from './harness/helperNodes';
import { loadPaymentPage } from './harness/nodeTypes';
import { credentialsOf, nodeOf, startWorkflow } from './harness/workflow';
import { automatic, credentialsFor, useSandbox } from './sandbox';

/** A workflow that leads what failed back to the node: across runs, the service's answer counts. */
const sandbox = useSandbox();

async function runLoop(ifReferenceExists: string) {
	const credentials = credentialsFor(sandbox.service);
	const run = await startWorkflow({
		nodes: [
			nodeOf('Rows', 'rows'),
			nodeOf('Payment Page', 'paymentPage', {
				parameters: automatic('create', { ifReferenceExists }),
				credentials: credentialsOf(credentials),
				onError: 'continueErrorOutput',
			}),
			nodeOf('Look', 'look', { parameters: { value: '' } }),
		],
		connections: {
			Rows: { main: [[{ node: 'Payment Page', type: 'main', index: 0 }]] },
			'Payment Page': {
				main: [
					[{ node: 'Look', type: 'main', index: 0 }],
					[{ node: 'Payment Page', type: 'main', index: 0 }],
				],
			},
		},
		nodeTypes: {
			rows: rowsNode([{ pageName: 'A', amount: 1, paymentPageLinkReference: 'a' }]),
			look: lookNode,
			paymentPage: loadPaymentPage(),
		},
		credentials,
	});
	const runs = run.data.resultData.runData['Payment Page'] ?? [];
	return runs.map(({ data }) => data?.main?.map((items) => items?.map(({ json }) => json)));
}

test.each([
	['create', ['POST', 'GET', 'POST']],
	['skip', ['GET', 'POST', 'GET', 'GET', 'POST']],
	['error', ['GET', 'POST', 'GET', 'GET', 'POST']],
])('with "%s", the next run makes a page that was lost', async (choice, methods) => {
	sandbox.service.configure({
		faults: [{ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 }],
	});
	const [first, second, ...more] = await runLoop(choice);
	expect(first?.[1]).toMatchObject([
		{ error: expect.stringContaining('the page "a" does not exist yet') },
	]);
	expect(second?.[0]).toMatchObject([{ id: 1 }]);
	expect(more).toEqual([]);
	expect(sandbox.requests.map(({ method }) => method)).toEqual(methods);
});
