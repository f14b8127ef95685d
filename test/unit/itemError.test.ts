import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { itemError } from '../../nodes/PaymentPage/run/itemError';
import { ServiceError } from '../../nodes/shared/errors';
import { paymentPageNode } from './paymentPageNode';

const failed: [number, number] = [2, 20];

const page = (json: IDataObject) => ({ json });
const none = new Map<number, INodeExecutionData>();

const stop = {
	outputs: new Map([
		[5, page({ id: 6, paymentPageLinkReference: 'f', paymentPageLink: 'https://pay.example/f' })],
		[0, page({ id: 1, paymentPageLinkReference: 'a', paymentPageLink: 'https://pay.example/a' })],
	]),
	failures: new Map<number, unknown>(),
	hasSent: true,
	rerunAdvice: 'To go on, do this.',
};

const refusal = new ServiceError('Rejected', 'Do something.', { kind: 'rejected' });

test('speaks of the row as a person counts it, and of what is finished', () => {
	const { message, description } = itemError(paymentPageNode, refusal, failed, stop);
	expect(message).toBe('Rejected');
	expect(description).toBe(
		'Do something. Row 3 of 20 (n8n calls it item 2). 2 of 20 rows are finished. To go on, do this.',
	);
});

test('has the finished rows with their reference, ID and link in its details, in order', () => {
	const { context } = itemError(paymentPageNode, refusal, failed, stop);
	expect(context.data).toMatchObject({
		total: 20,
		finished: [
			{ row: 1, id: 1, paymentPageLinkReference: 'a', paymentPageLink: 'https://pay.example/a' },
			{ row: 6, id: 6, paymentPageLinkReference: 'f', paymentPageLink: 'https://pay.example/f' },
		],
	});
});

test.each([
	[{ outputs: none, hasSent: false }, 20, 'Nothing was sent.'],
	[{ outputs: none, hasSent: false }, 1, 'Nothing was sent.'],
	[{ outputs: none, hasSent: true }, 20, 'No row is finished.'],
	[{ outputs: none, hasSent: true }, 1, 'Do something.'],
	[{ hasSent: true }, 20, 'To go on, do this.'],
])('says "nothing was sent" only where it is so: %j of %i ends with %s', (change, total, end) => {
	const { description } = itemError(paymentPageNode, refusal, [0, total], { ...stop, ...change });
	expect(description?.endsWith(end)).toBe(true);
	expect(description?.includes('Nothing was sent.')).toBe(!change.hasSent);
});

test('tells of other rows whose page may be there', () => {
	const lost = new ServiceError('The answer was lost', '', { kind: 'answerLost' });
	const failures = new Map<number, unknown>([
		[2, refusal],
		[7, lost],
		[8, refusal],
	]);
	const { description } = itemError(paymentPageNode, refusal, failed, { ...stop, failures });
	expect(description).toContain('Row 8: The answer was lost. 2 of 20 rows are finished.');
});
