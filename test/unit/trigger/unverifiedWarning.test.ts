import { unverifiedWarning } from '../../../nodes/PaymentPageTrigger/webhook/unverifiedWarning';

const rejected = { isRejected: true, isWeaker: false };

const minute = 60_000;

let nodes = 0;

/** A node of its own for each test. */
function newNode() {
	return {
		identity: `node ${++nodes}`,
		name: 'Payment Page Trigger',
		workflowName: 'Payments',
	};
}

test('logs the first, and then at most one a minute with the number of the others', () => {
	const node = newNode();
	const warnings: string[] = [];
	for (let now = 0; now < 3 * minute; now += 1_000) {
		const warning = unverifiedWarning(node, rejected, now);
		if (warning !== undefined) warnings.push(warning);
	}
	expect(warnings).toHaveLength(3);
	expect(warnings[0]).toMatch(/"Payment Page Trigger" in workflow "Payments" rejected an event/);
	expect(warnings[0]).not.toContain('more since');
	expect(warnings[1]).toContain('(59 more since the last message)');
	expect(warnings[2]).toContain('(59 more since the last message)');
});

test('counts each node by itself', () => {
	const [first, second] = [newNode(), newNode()];
	const isLogged = [first, second, first, second].map(
		(node) => unverifiedWarning(node, rejected, 0) !== undefined,
	);
	expect(isLogged).toEqual([true, true, false, false]);
});

test.each([
	[true, false, 'rejected an event without a valid proof'],
	[true, true, 'rejected an event with a weaker proof than earlier events'],
	[false, true, 'accepted an event as unverified: it came with a weaker proof'],
])('says what became of it: rejected %j, weaker %j', (isRejected, isWeaker, words) => {
	expect(unverifiedWarning(newNode(), { isRejected, isWeaker }, 0)).toContain(words);
});
