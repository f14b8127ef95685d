import { logRejection } from '../../../nodes/PaymentPageTrigger/webhook/rejections';

const minute = 60_000;

let nodes = 0;

/** A node of its own for each test, whose warnings are kept. */
function newNode() {
	const warnings: string[] = [];
	const id = `node ${++nodes}`;
	const node = {
		getWorkflow: () => ({ id: 'workflow', name: 'Payments', active: true }),
		getNode: () => ({
			id,
			name: 'Payment Page Trigger',
			type: 'n8n-nodes-payment-pages.paymentPageTrigger',
			typeVersion: 2,
			position: [0, 0] as [number, number],
			parameters: {},
		}),
		logger: { warn: (message: string) => void warnings.push(message) },
	};
	return { node, warnings };
}

it('logs the first, and then at most one a minute with the number of the others', () => {
	const { node, warnings } = newNode();
	for (let now = 0; now < 3 * minute; now += 1_000) logRejection(node, 'noProof', now);
	expect(warnings).toHaveLength(3);
	expect(warnings[0]).toMatch(/"Payment Page Trigger" in workflow "Payments" rejected an event/);
	expect(warnings[0]).not.toContain('more since');
	expect(warnings[1]).toContain('(59 more since the last message)');
	expect(warnings[2]).toContain('(59 more since the last message)');
});

it('counts each node by itself', () => {
	const first = newNode();
	const second = newNode();
	for (const { node } of [first, second, first, second]) logRejection(node, 'weaker', 0);
	expect([first.warnings.length, second.warnings.length]).toEqual([1, 1]);
});
