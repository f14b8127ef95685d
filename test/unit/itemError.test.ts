import { itemError, type DoneItem } from '../../nodes/PaymentPage/run/itemError';
import { ServiceError } from '../../nodes/shared/errors';
import { paymentPageNode } from './paymentPageNode';

/** What the description of a failure tells about the items that are done. */
function toldOf(...done: Array<Omit<DoneItem, 'item'>>): string {
	const error = new ServiceError('Refused', 'Do something.', { kind: 'rejected' });
	const stop = {
		done: done.map((one, item) => ({ ...one, item })),
		total: 20,
		rerunAdvice: 'It does this.',
	};
	const { description } = itemError(paymentPageNode, error, { itemIndex: 15, retries: 0 }, stop);
	const [, told = '', rest] =
		/^Do something\. The item is number 15 \(n8n counts from 0\)\. (.*?\.) (A new run .*)$/.exec(
			description ?? '',
		) ?? [];
	// Of what n8n calls a retry, one kind goes on and the other does not.
	expect(rest).toBe(
		"A new run starts from the first item, and so does 'Retry' in the executions list. Only 'Retry On Fail' in the node settings continues where it stopped. It does this.",
	);
	return told;
}

test.each<[string, Omit<DoneItem, 'item'>, string]>([
	['a reference', { id: 7, paymentPageLinkReference: 'page-7' }, ': page-7'],
	['a reference that is a number', { id: 7, paymentPageLinkReference: 8 }, ': 8'],
	['an ID without a reference', { id: 7 }, ': 7'],
	['an ID beyond 2^53', { id: '9007199254740993' }, ': 9007199254740993'],
	['a long reference', { paymentPageLinkReference: 'x'.repeat(200_000) }, `: ${'x'.repeat(300)}…`],
	['a long ID', { id: '7'.repeat(200_000) }, `: ${'7'.repeat(300)}…`],
	['several lines', { paymentPageLinkReference: ' a\r\nb\u0007' }, ': a b'],
	['a blank reference', { id: 7, paymentPageLinkReference: ' \n' }, ': 7'],
	['a reference that is no text', { id: 7, paymentPageLinkReference: ['a', 'b'] }, ': 7'],
	['what cannot become text', { paymentPageLinkReference: { toString: 1, valueOf: 1 } }, ''],
	['null', { id: null, paymentPageLinkReference: null }, ''],
	['nothing', {}, ''],
])('names an item that is done by what the service answered: %s', (_what, done, told) => {
	expect(toldOf(done)).toBe(`1 of 20 items were done${told}.`);
});

test('names ten items at most, in a text that stays short', () => {
	const paymentPageLinkReference = 'x'.repeat(200_000);
	const done = Array.from({ length: 11 }, () => ({ paymentPageLinkReference }));
	const told = toldOf(...done);
	expect(told).toMatch(/^11 of 20 items were done: (x{300}…, ){10}…\.$/);
	expect(told.length).toBeLessThan(3100);
});

test.each([
	[0, undefined],
	[1, 'The request was retried once.'],
	[3, 'The request was retried 3 times.'],
])('%i retries are told as %j', (retries, told) => {
	const { description } = itemError(paymentPageNode, new Error('x'), { itemIndex: 0, retries });
	expect(/The request was retried [^.]*\./.exec(description ?? '')?.[0]).toBe(told);
});
