import type { IDataObject } from 'n8n-workflow';

import { forget, isRepeated } from '../../../nodes/PaymentPageTrigger/webhook/repeatedDeliveries';

const day = 24 * 60 * 60 * 1000;

let nodes = 0;

/** A node that nobody has seen before, with its static data. */
function newNode(staticData: IDataObject = {}) {
	const id = `node ${++nodes}`;
	return {
		staticData,
		getWorkflow: () => ({ id: 'workflow', active: true }),
		getNode: () => ({
			id,
			name: 'Payment Page Trigger',
			type: 'n8n-nodes-payment-pages.paymentPageTrigger',
			typeVersion: 2,
			position: [0, 0] as [number, number],
			parameters: {},
		}),
		getWorkflowStaticData: () => staticData,
	};
}

const bytes = (text: string | number) => Buffer.from(String(text));

it('knows the same bytes for 24 hours, and no longer', () => {
	const node = newNode();
	expect(isRepeated(node, bytes('a'), 0)).toBe(false);
	expect(isRepeated(node, bytes('b'), 0)).toBe(false);
	expect(isRepeated(node, bytes('a'), 1)).toBe(true);
	expect(isRepeated(node, bytes('a'), day - 1)).toBe(true);
	expect(isRepeated(node, bytes('a'), day)).toBe(false);
	expect(isRepeated(node, bytes('a'), 2 * day - 1)).toBe(true);
});

it('takes a single other byte for another event', () => {
	const node = newNode();
	expect(isRepeated(node, bytes('{"a":1}'), 0)).toBe(false);
	expect(isRepeated(node, bytes('{"a":1} '), 0)).toBe(false);
	expect(isRepeated(node, bytes(''), 0)).toBe(false);
});

it('remembers the last 1,000 and forgets the oldest first', () => {
	const node = newNode();
	for (let index = 0; index <= 1_000; index++) isRepeated(node, bytes(index), index * 1_000);
	expect(JSON.stringify(node.staticData).length).toBeLessThan(32_000);
	expect(isRepeated(node, bytes(1), 2_000_000)).toBe(true);
	expect(isRepeated(node, bytes(1_000), 2_000_000)).toBe(true);
	expect(isRepeated(node, bytes(0), 2_000_000)).toBe(false);
	// That took the place of the oldest one.
	expect(isRepeated(node, bytes(1), 2_000_000)).toBe(false);
});

it('forgets what is older than 24 hours also in what it stores', () => {
	const node = newNode();
	for (let index = 0; index < 100; index++) isRepeated(node, bytes(index), 0);
	isRepeated(node, bytes('new'), day);
	expect(node.staticData['deliveries']).toHaveLength(1);
});

it('goes on from static data after a restart', () => {
	const before = newNode();
	isRepeated(before, bytes('a'), 0);
	const stored = JSON.parse(JSON.stringify(before.staticData)) as IDataObject;
	expect(isRepeated(newNode(stored), bytes('a'), 1)).toBe(true);
});

it('knows what arrived a moment ago and is not yet in the static data that was loaded', () => {
	const node = newNode();
	expect(isRepeated(node, bytes('a'), 0)).toBe(false);
	expect(isRepeated({ ...node, getWorkflowStaticData: () => ({}) }, bytes('a'), 0)).toBe(true);
});

it('does not take the events of one node for those of another', () => {
	expect(isRepeated(newNode(), bytes('a'), 0)).toBe(false);
	expect(isRepeated(newNode(), bytes('a'), 0)).toBe(false);
});

it.each([undefined, null, 'x', {}, 7])('starts anew when static data holds %j', (deliveries) => {
	const node = newNode({ deliveries });
	expect(isRepeated(node, bytes('a'), 0)).toBe(false);
	expect(isRepeated(node, bytes('a'), 0)).toBe(true);
});

it('takes a delivery again that came to nothing, and no other', () => {
	const node = newNode();
	isRepeated(node, bytes('kept'), 0);
	// n8n throws the static data of a failed request away.
	isRepeated({ ...node, getWorkflowStaticData: () => ({}) }, bytes('failed'), 0);
	forget(node, bytes('failed'));
	expect(isRepeated(node, bytes('failed'), 1)).toBe(false);
	expect(isRepeated(node, bytes('kept'), 1)).toBe(true);
});
