import type { IDataObject } from 'n8n-workflow';

import type { Fate } from '../../../nodes/PaymentPageTrigger/http';

import {
	forgetDeliveries,
	repetitionOf,
} from '../../../nodes/PaymentPageTrigger/webhook/repeatedDeliveries';

const day = 24 * 60 * 60 * 1000;

let nodes = 0;

/** A node that nobody has seen before, with its static data. */
function newNode(staticData: IDataObject = {}) {
	return { identity: `node ${++nodes}`, staticData };
}

type TestNode = ReturnType<typeof newNode>;

type Close = Parameters<Parameters<typeof repetitionOf>[1]['onClose']>[0];

const accepted = (): Fate => 'stored';
const failed = (): Fate => 'failed';

interface Change {
	isVerified?: boolean;
	onClose?: (callback: Close) => void;
}

/** Receives a delivery, which n8n accepts at once unless told otherwise. */
async function isRepeated(node: TestNode, text: string | number, now: number, change: Change = {}) {
	const onClose = (callback: Close) => callback(accepted);
	const rawBody = Buffer.from(String(text));
	const repetition = await repetitionOf(node, {
		rawBody,
		isVerified: true,
		now,
		onClose,
		...change,
	});
	return repetition === 'undecided' ? repetition : repetition === 'repeated';
}

/** The same node for a request whose static data was loaded before, and is not stored. */
function withLoaded(node: TestNode, staticData: IDataObject = {}): TestNode {
	return { ...node, staticData };
}

test('knows the same bytes for 24 hours, and no longer', async () => {
	const node = newNode();
	expect(await isRepeated(node, 'a', 0)).toBe(false);
	expect(await isRepeated(node, 'b', 0)).toBe(false);
	expect(await isRepeated(node, 'a', 1)).toBe(true);
	expect(await isRepeated(node, 'a', day - 1)).toBe(true);
	expect(await isRepeated(node, 'a', day)).toBe(false);
	expect(await isRepeated(node, 'a', 2 * day - 1)).toBe(true);
});

test('takes a single other byte for another event', async () => {
	const node = newNode();
	expect(await isRepeated(node, '{"a":1}', 0)).toBe(false);
	expect(await isRepeated(node, '{"a":1} ', 0)).toBe(false);
	expect(await isRepeated(node, '', 0)).toBe(false);
});

test('remembers the last 1,000 and forgets the oldest first', async () => {
	const node = newNode();
	for (let index = 0; index <= 1_000; index++) await isRepeated(node, index, index * 1_000);
	expect(JSON.stringify(node.staticData).length).toBeLessThan(32_000);
	expect(await isRepeated(node, 1, 2_000_000)).toBe(true);
	expect(await isRepeated(node, 1_000, 2_000_000)).toBe(true);
	expect(await isRepeated(node, 0, 2_000_000)).toBe(false);
	// That took the place of the oldest one.
	expect(await isRepeated(node, 1, 2_000_000)).toBe(false);
});

test('forgets what is older than 24 hours also in what it stores', async () => {
	const node = newNode();
	for (let index = 0; index < 100; index++) await isRepeated(node, index, 0);
	await isRepeated(node, 'new', day);
	expect(node.staticData['deliveries']).toHaveLength(1);
});

test('goes on from static data after a restart', async () => {
	const before = newNode();
	await isRepeated(before, 'a', 0);
	const stored = JSON.parse(JSON.stringify(before.staticData)) as IDataObject;
	expect(await isRepeated(newNode(stored), 'a', 1)).toBe(true);
});

test('knows what arrived a moment ago and is not yet in the static data that was loaded', async () => {
	const node = newNode();
	expect(await isRepeated(node, 'a', 0)).toBe(false);
	expect(await isRepeated(withLoaded(node), 'a', 0)).toBe(true);
});

test('does not take the events of one node for those of another', async () => {
	expect(await isRepeated(newNode(), 'a', 0)).toBe(false);
	expect(await isRepeated(newNode(), 'a', 0)).toBe(false);
});

test.each([undefined, null, 'x', {}, 7])(
	'starts anew when static data holds %j',
	async (deliveries) => {
		const node = newNode({ deliveries });
		expect(await isRepeated(node, 'a', 0)).toBe(false);
		expect(await isRepeated(node, 'a', 0)).toBe(true);
	},
);

describe('a delivery whose execution n8n could not store', () => {
	const failing: Change = { onClose: (callback) => callback(failed) };

	test('is taken again, and no other is', async () => {
		const node = newNode();
		await isRepeated(node, 'kept', 0);
		await isRepeated(withLoaded(node), 'failed', 0, failing);
		expect(await isRepeated(node, 'failed', 1)).toBe(false);
		expect(await isRepeated(node, 'kept', 1)).toBe(true);
	});

	test('is stored by no other delivery, so that every process takes it again', async () => {
		const node = newNode();
		let close: Close = () => {};
		await isRepeated(withLoaded(node), 'failed', 0, { onClose: (callback) => (close = callback) });
		await isRepeated(node, 'other', 0);
		close(failed);
		await isRepeated(node, 'another', 0);
		expect(node.staticData['deliveries']).toHaveLength(2);
		const elsewhere = newNode(JSON.parse(JSON.stringify(node.staticData)) as IDataObject);
		expect(await isRepeated(elsewhere, 'failed', 1)).toBe(false);
	});

	test('is taken by the equal delivery that arrived meanwhile', async () => {
		const node = newNode();
		const closes: Close[] = [];
		const onClose = (callback: Close) => void closes.push(callback);
		expect(await isRepeated(withLoaded(node), 'a', 0, { onClose })).toBe(false);
		const waiting = [1, 2, 3].map((now) => isRepeated(withLoaded(node), 'a', now, { onClose }));
		closes[0]?.(failed);
		const first = await Promise.race(waiting);
		expect(first).toBe(false);
		closes[1]?.(accepted);
		expect((await Promise.all(waiting)).filter((isRepetition) => !isRepetition)).toHaveLength(1);
	});
});

describe('a delivery whose sender was gone before the answer', () => {
	let fate: Fate;
	const gone: Change = { onClose: (callback) => callback(() => fate) };

	beforeEach(() => (fate = 'undecided'));

	test('is neither repeated nor new until n8n has decided', async () => {
		const node = newNode();
		expect(await isRepeated(withLoaded(node), 'a', 0, gone)).toBe(false);
		expect(await isRepeated(withLoaded(node), 'a', 1)).toBe('undecided');
		expect(await isRepeated(withLoaded(node), 'a', 2)).toBe('undecided');
		expect(await isRepeated(withLoaded(node), 'other', 2)).toBe(false);
	});

	test('is repeated once n8n has stored it', async () => {
		const node = newNode();
		await isRepeated(withLoaded(node), 'a', 0, gone);
		fate = 'stored';
		expect(await isRepeated(withLoaded(node), 'a', 1)).toBe(true);
	});

	test('is repeated once n8n has had time to fail: it is stored, and waits for its turn', async () => {
		const node = newNode();
		await isRepeated(withLoaded(node), 'a', 0, gone);
		expect(await isRepeated(withLoaded(node), 'a', 359_999)).toBe('undecided');
		expect(await isRepeated(withLoaded(node), 'a', 360_000)).toBe(true);
		fate = 'failed';
		expect(await isRepeated(withLoaded(node), 'a', 360_001)).toBe(false);
	});

	test('is taken again once n8n has failed, and is stored by no other delivery', async () => {
		const node = newNode();
		await isRepeated(withLoaded(node), 'a', 0, gone);
		await isRepeated(node, 'other', 1);
		expect(node.staticData['deliveries']).toHaveLength(1);
		fate = 'failed';
		expect(await isRepeated(withLoaded(node), 'a', 2)).toBe(false);
		expect(await isRepeated(withLoaded(node), 'a', 3)).toBe(true);
	});

	test('does not make an equal one repeated that waited for it', async () => {
		const node = newNode();
		let close: Close = () => {};
		await isRepeated(withLoaded(node), 'a', 0, { onClose: (callback) => (close = callback) });
		const waiting = isRepeated(withLoaded(node), 'a', 1);
		close(() => fate);
		expect(await waiting).toBe('undecided');
	});
});

describe('an event without a proof', () => {
	const unverified: Change = { isVerified: false };

	test('does not make the genuine one repeated, but is itself repeated', async () => {
		const node = newNode();
		expect(await isRepeated(node, 'a', 0, unverified)).toBe(false);
		expect(await isRepeated(node, 'a', 0, unverified)).toBe(true);
		expect(await isRepeated(node, 'a', 0)).toBe(false);
		expect(await isRepeated(node, 'b', 0)).toBe(false);
		expect(await isRepeated(node, 'b', 0, unverified)).toBe(true);
	});

	test('does not crowd genuine ones out of the memory', async () => {
		const node = newNode();
		await isRepeated(node, 'genuine', 0);
		for (let index = 0; index <= 1_000; index++) await isRepeated(node, index, 1_000, unverified);
		expect(await isRepeated(node, 'genuine', 1_000)).toBe(true);
	});
});

test('forgets everything when the option is off', async () => {
	const node = newNode();
	await isRepeated(node, 'a', 0);
	forgetDeliveries(node);
	expect(node.staticData).toEqual({});
	expect(await isRepeated(node, 'a', 0)).toBe(false);
});
