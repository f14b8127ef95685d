import type { INodeParameters } from 'n8n-workflow';

import {
	busy,
	endpointOf,
	type Fault,
	final,
	notStored,
	question,
	refused,
	slow,
	stored,
} from '../faults';
import type { Outcome } from './harness';
import { automatic, useSandbox } from './sandbox';

/**
 * Every trouble of the service with the creation of a page: what the sandbox holds at the end, which
 * requests it saw, and what the node says. `repeatableFaults.test.ts` has the other operations.
 */
const sandbox = useSandbox();

beforeAll(() => {
	// The shortest waits before a retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});

/** Long enough for any answer that comes at all. */
const requestOptions = { timeout: 1500 };

const nextTime =
	"Before you run again, set 'If Reference Exists' to 'Skip', so that no page is created twice.";

const row = { pageName: 'A', paymentPageLinkReference: 'a' };

async function create(fault: Fault, options: INodeParameters = {}): Promise<Outcome> {
	sandbox.service.configure({ faults: [{ endpoint: 'create', times: 1, ...fault }] });
	return await sandbox.run({
		rows: [row],
		parameters: { ...automatic('create', options), requestOptions },
	});
}

function expectAtService(pages: number, ...requests: string[]): void {
	expect(sandbox.service.state.pages.size).toBe(pages);
	expect(sandbox.requests.map(endpointOf)).toEqual(requests);
}

describe('create, without asking first', () => {
	test.each(notStored)('%s: says that the page does not exist', async (_name, fault, message) => {
		const { error, output } = await create(fault);
		expectAtService(0, 'Add', question);
		expect(error?.message).toBe(`${message}; the page "a" does not exist yet`);
		expect(error?.description).toContain(nextTime);
		expect(output).toEqual([]);
	});

	test.each(stored)('%s: says that a page exists', async (_name, fault, message) => {
		const { error } = await create(fault);
		expectAtService(1, 'Add', question);
		expect(error?.message).toBe(`${message}; a page "a" exists, but it may have existed before`);
		expect(error?.description).toContain('Check the page at the service before you run again.');
	});
});

describe.each(['skip', 'error'])('create, asking first (%s)', (ifReferenceExists) => {
	test.each(notStored)('%s: says that the page does not exist', async (_name, fault, message) => {
		const { error } = await create(fault, { ifReferenceExists });
		expectAtService(0, question, 'Add', question);
		expect(error?.message).toBe(`${message}; the page "a" does not exist yet`);
		expect(error?.description).toContain('Run again a little later: the node checks first.');
	});

	test.each(stored)('%s: recovers the page', async (_name, fault) => {
		const { error, output } = await create(fault, { ifReferenceExists });
		expectAtService(1, question, 'Add', question);
		expect(error).toBeUndefined();
		expect(output).toEqual([
			{
				json: {
					...row,
					id: null,
					paymentPageLink: null,
					isFixedAmount: false,
					recovered: true,
				},
				pairedItem: { item: 0 },
			},
		]);
	});
});

test.each(final)('%s as answer to the question: creates nothing', async (_name, fault, message) => {
	sandbox.service.configure({ faults: [{ endpoint: 'validate', ...fault }] });
	const parameters = automatic('create', { ifReferenceExists: 'skip' });
	const { error } = await sandbox.run({ rows: [row], parameters });
	expectAtService(0, question);
	expect(error?.message).toBe(message);
});

describe('create, whose answer was lost', () => {
	test('says so when the service does not tell either whether the page is there', async () => {
		sandbox.service.configure({
			faults: [
				{ endpoint: 'create', kind: 'cutAfterStoring' },
				{ endpoint: 'validate', kind: 'serverError' },
			],
		});
		const { error } = await sandbox.run({ rows: [row], parameters: automatic('create') });
		expectAtService(1, 'Add', question, question, question, question);
		expect(error?.message).toContain('it could not be determined whether the page "a" was created');
		expect(error?.description).toContain('so that no page is created twice');
	});

	test.each([
		['cutBeforeStoring', 'none', 'the page "REFERENCE" does not exist yet'],
		['cutAfterStoring', 'none', 'a page "REFERENCE" exists, but it may have existed before'],
		[
			'cutAfterStoring',
			'serverError',
			'it could not be determined whether the page "REFERENCE" was created',
		],
	] as const)('(%s, then %s) shortens a long reference', async (kind, question, finding) => {
		sandbox.service.configure({
			faults: [
				{ endpoint: 'create', kind },
				...(question === 'none' ? [] : [{ endpoint: 'validate' as const, kind: question }]),
			],
		});
		const { error } = await sandbox.run({
			rows: [{ paymentPageLinkReference: 'r'.repeat(5000) }],
			parameters: automatic('create'),
		});
		expect(error?.message).toContain(finding.replace('REFERENCE', `${'r'.repeat(60)}…`));
		expect(error?.message.length).toBeLessThan(300);
	});

	test('is finished by a rerun with "skip", without a second page', async () => {
		await create({ kind: 'cutAfterStoring' });
		const parameters = automatic('create', { ifReferenceExists: 'skip' });
		const { output } = await sandbox.run({ rows: [row], parameters });
		expectAtService(1, 'Add', question, question);
		expect(output[0]?.json).toMatchObject({ skipped: true, exists: true });
	});
});

describe.each([
	{ name: 'create, without asking first', ifReferenceExists: 'create', asked: [] },
	{ name: 'create, asking first', ifReferenceExists: 'skip', asked: [question] },
])('$name', ({ ifReferenceExists, asked }) => {
	test.each([refused])('%s: fails', async (_name, fault, message) => {
		const { error } = await create(fault, { ifReferenceExists });
		expectAtService(0, ...asked, 'Add');
		expect(error?.message).toBe(message);
	});

	test.each(busy)('%s: is sent again, for the service did nothing', async (_name, fault) => {
		const { output } = await create(fault, { ifReferenceExists });
		expectAtService(1, ...asked, 'Add', 'Add');
		expect(output[0]?.json).toMatchObject({ ...row, id: 1 });
	});

	test('too many requests without end: is sent four times', async () => {
		const fault: Fault = { kind: 'tooManyRequests', retryAfterSeconds: 0, times: Infinity };
		const { error } = await create(fault, { ifReferenceExists });
		expectAtService(0, ...asked, 'Add', 'Add', 'Add', 'Add');
		expect(error?.message).toBe(
			'The service is receiving too many requests (HTTP 429): Too many requests (code "96")',
		);
	});

	test.each(slow)('%s: is waited for', async (_name, fault) => {
		const { output } = await create(fault, { ifReferenceExists });
		expectAtService(1, ...asked, 'Add');
		expect(output[0]?.json).toMatchObject({ ...row, id: 1 });
	});
});
