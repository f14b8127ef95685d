import type { INode } from 'n8n-workflow';

/** A node that errors can belong to. */
export const paymentPageNode: INode = {
	id: '1',
	name: 'Payment Page',
	type: 'paymentPage',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
