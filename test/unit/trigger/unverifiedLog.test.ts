import { logUnverified } from '../../../nodes/PaymentPageTrigger/webhook/unverifiedLog';
import { newTriggerNode } from './triggerNode';

const rejected = { isRejected: true, isWeaker: false };

const minute = 60_000;

/** A node of its own for each test, whose warnings are kept. */
function newNode() {
	const warnings: string[] = [];
	const logger = { warn: (message: string) => void warnings.push(message) };
	return { node: { ...newTriggerNode(), logger }, warnings };
}

test('logs the first, and then at most one a minute with the number of the others', () => {
	const { node, warnings } = newNode();
	for (let now = 0; now < 3 * minute; now += 1_000) logUnverified(node, rejected, now);
	expect(warnings).toHaveLength(3);
	expect(warnings[0]).toMatch(/"Payment Page Trigger" in workflow "Payments" rejected an event/);
	expect(warnings[0]).not.toContain('more since');
	expect(warnings[1]).toContain('(59 more since the last message)');
	expect(warnings[2]).toContain('(59 more since the last message)');
});

test('counts each node by itself', () => {
	const first = newNode();
	const second = newNode();
	for (const { node } of [first, second, first, second]) logUnverified(node, rejected, 0);
	expect([first.warnings.length, second.warnings.length]).toEqual([1, 1]);
});

test.each([
	[true, false, 'rejected an event without a valid proof'],
	[true, true, 'rejected an event with a weaker proof than earlier events'],
	[false, true, 'accepted an event as unverified: it came with a weaker proof'],
])('says what became of it: rejected %j, weaker %j', (isRejected, isWeaker, words) => {
	const { node, warnings } = newNode();
	logUnverified(node, { isRejected, isWeaker }, 0);
	expect(warnings[0]).toContain(words);
});
