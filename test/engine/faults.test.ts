import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox';
import { busy, final, notStored, repeatable, refused, slow, stored, type Fault } from '../faults';
import type { Outcome } from './harness';
import { automatic, register, useSandbox } from './sandbox';

/**
 * Every trouble of the service with every operation: what the sandbox holds at the end, how many
 * requests it saw, and what the node says.
 */
const sandbox = useSandbox();

beforeAll(() => {
	// The shortest waits before a retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});

/** Long enough for any answer that comes at all. */
const requestOptions = { timeout: 1500 };

const row = { pageName: 'A', paymentPageLinkReference: 'a' };

async function create(fault: Fault, options: INodeParameters = {}): Promise<Outcome> {
	sandbox.service.configure({ faults: [{ endpoint: 'create', times: 1, ...fault }] });
	return await sandbox.run({
		rows: [row],
		parameters: { ...automatic('create', options), requestOptions },
	});
}

function expectAtService(pages: number, requests: number): void {
	expect(sandbox.service.state.pages.size).toBe(pages);
	expect(sandbox.requests).toHaveLength(requests);
}

describe('create, without asking first', () => {
	test.each(notStored)('%s: says that the page does not exist', async (_name, fault, message) => {
		const { error, output } = await create(fault);
		expectAtService(0, 2);
		expect(error?.message).toBe(`${message}; the page "a" does not exist so far`);
		expect(error?.description).toContain('If Reference Exists set to Skip');
		expect(output).toEqual([]);
	});

	test.each(stored)('%s: says that a page exists', async (_name, fault, message) => {
		const { error } = await create(fault);
		expectAtService(1, 2);
		expect(error?.message).toBe(`${message}; a page "a" exists, but it may have existed before`);
		expect(error?.description).toContain('If Reference Exists set to Skip');
	});
});

describe.each(['skip', 'error'])('create, asking first (%s)', (ifReferenceExists) => {
	test.each(notStored)('%s: says that the page does not exist', async (_name, fault, message) => {
		const { error } = await create(fault, { ifReferenceExists });
		expectAtService(0, 3);
		expect(error?.message).toBe(`${message}; the page "a" does not exist so far`);
	});

	test.each(stored)('%s: recovers the page', async (_name, fault) => {
		const { error, output } = await create(fault, { ifReferenceExists });
		expectAtService(1, 3);
		expect(error).toBeUndefined();
		expect(output).toEqual([
			{
				json: {
					...row,
					merchantId: '1002003004005006007',
					additionalFields: '[]',
					recovered: true,
				},
				pairedItem: { item: 0 },
			},
		]);
	});
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
		expectAtService(1, 5);
		expect(error?.message).toContain('whether the page "a" was created could not be found out');
		expect(error?.description).toContain('so that no page is made twice');
	});

	test.each([
		['cutBeforeStoring', 'none', 'the page "REFERENCE" does not exist so far'],
		['cutAfterStoring', 'none', 'a page "REFERENCE" exists, but it may have existed before'],
		[
			'cutAfterStoring',
			'serverError',
			'whether the page "REFERENCE" was created could not be found out',
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
		expectAtService(1, 3);
		expect(output[0]?.json).toMatchObject({ skipped: true, exists: true });
	});

	test('with "Full Response" gives what is known, for there is no response', async () => {
		const { output } = await create(
			{ kind: 'cutAfterStoring' },
			{ ifReferenceExists: 'skip', fullResponse: true },
		);
		expect(output[0]?.json).toMatchObject({ paymentPageLinkReference: 'a', recovered: true });
	});

	test('fails with "skip" when the question before it failed, and creates nothing', async () => {
		sandbox.service.configure({ faults: [{ endpoint: 'validate', kind: 'html' }] });
		const parameters = automatic('create', { ifReferenceExists: 'skip' });
		const { error } = await sandbox.run({ rows: [row], parameters });
		expectAtService(0, 1);
		expect(error?.message).toMatch(/web page/);
	});
});

describe.each<[FaultRule['endpoint'], INodeParameters, object]>([
	['update', automatic('update'), { updated: true }],
	['validate', { operation: 'validateReference', paymentPageLinkReference: 'a' }, { exists: true }],
	[
		'register',
		{ ...register, webhookUrl: 'https://hooks.shop.example/x', secret: 'long-secret' },
		{ registered: true },
	],
])('%s, which may happen twice', (endpoint, parameters, result) => {
	async function call(fault: Fault): Promise<Outcome> {
		await sandbox.run({ rows: [row], parameters: automatic('create') });
		sandbox.requests.length = 0;
		sandbox.service.configure({
			faults: [{ endpoint, times: 1, ...fault }],
		});
		return await sandbox.run({ rows: [row], parameters: { ...parameters, requestOptions } });
	}

	test.each(repeatable)('%s: is sent again', async (_name, fault) => {
		const { output } = await call(fault);
		expectAtService(1, 2);
		expect(output[0]?.json).toMatchObject({ ...result, retries: 1 });
	});

	test.each(final)('%s: fails', async (_name, fault, message) => {
		const { error } = await call(fault);
		expectAtService(1, 1);
		expect(error?.message).toBe(message);
	});

	test.each(slow)('%s: is waited for', async (_name, fault) => {
		const { output } = await call(fault);
		expectAtService(1, 1);
		expect(output[0]?.json).toMatchObject(result);
	});
});

describe('create', () => {
	test.each([refused])('%s: fails', async (_name, fault, message) => {
		const { error } = await create(fault);
		expectAtService(0, 1);
		expect(error?.message).toBe(message);
	});

	test.each(busy)('%s: is sent again, for the service did nothing', async (_name, fault) => {
		const { output } = await create(fault);
		expectAtService(1, 2);
		expect(output[0]?.json).toMatchObject({ id: 1, retries: 1 });
	});

	test.each(slow)('%s: is waited for', async (_name, fault) => {
		const { output } = await create(fault);
		expectAtService(1, 1);
		expect(output[0]?.json).toMatchObject({ id: 1 });
	});
});
