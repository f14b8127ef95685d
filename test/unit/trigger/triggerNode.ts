import type { INode } from 'n8n-workflow';

let nodes = 0;

/** What n8n tells of a trigger in a published workflow, of one that nobody has seen before. */
export function newTriggerNode() {
	const node: INode = {
		id: `node ${++nodes}`,
		name: 'Payment Page Trigger',
		type: 'n8n-nodes-payment-pages.paymentPageTrigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: {},
	};
	return {
		getWorkflow: () => ({ id: 'workflow', name: 'Payments', active: true }),
		getNode: () => node,
	};
}
