import { type Fault, endpointOf, final, question, repeatable, slow } from '../faults';
import type { Outcome } from './harness';
import { automatic, credentialsFor, register, useSandbox } from './sandbox';

/** Every trouble of the service with what may happen twice: there it is simply sent again. */
const sandbox = useSandbox();

beforeAll(() => {
	// The shortest waits before a retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});

const row = { pageName: 'A', paymentPageLinkReference: 'a' };
const webhookUrl = 'https://hooks.shop.example/x';

describe.each([
	{
		endpoint: 'update',
		parameters: automatic('update'),
		request: 'Update',
		result: {
			updated: true,
			paymentPageLinkReference: 'a',
			responseMessage: 'Payment page updated successfully',
		},
	},
	{
		endpoint: 'validate',
		parameters: { operation: 'validateReference', paymentPageLinkReference: 'a' },
		request: question,
		result: { paymentPageLinkReference: 'a', exists: true, available: false, isValid: true },
	},
	{
		endpoint: 'register',
		parameters: { ...register, webhookUrl },
		request: 'RegisterWebhook',
		result: {
			registered: true,
			webhookUrl: `${webhookUrl}/`,
			merchantId: '1002003004005006007',
			responseMessage: 'Webhook registered successfully',
		},
	},
] as const)('$endpoint, which may happen twice', ({ endpoint, parameters, request, result }) => {
	async function call(fault: Fault): Promise<Outcome> {
		await sandbox.run({ rows: [row], parameters: automatic('create') });
		sandbox.requests.length = 0;
		sandbox.service.configure({ faults: [{ endpoint, times: 1, ...fault }] });
		// Long enough for any answer that comes at all.
		const requestOptions = { timeout: 1500 };
		return await sandbox.run({
			rows: [row],
			parameters: { ...parameters, requestOptions },
			credentials: credentialsFor(sandbox.service, { webhookSecret: 'long-secret' }),
		});
	}

	function expectRequests(...requests: string[]): void {
		expect(sandbox.service.state.pages.size).toBe(1);
		expect(sandbox.requests.map(endpointOf)).toEqual(requests);
	}

	test.each(repeatable)('%s: is sent again', async (_name, fault) => {
		const { output } = await call(fault);
		expectRequests(request, request);
		expect(output.map(({ json }) => json)).toEqual([result]);
	});

	test('trouble without end: is sent four times', async () => {
		const { error } = await call({
			kind: 'serverError',
			status: 502,
			retryAfterSeconds: 0,
			times: Infinity,
		});
		expectRequests(request, request, request, request);
		expect(error?.message).toBe(
			'The service could not process the request (HTTP 502): Internal server error (code "96")',
		);
	});

	test.each(final)('%s: fails', async (_name, fault, message) => {
		const { error, output } = await call(fault);
		expectRequests(request);
		expect(error?.message).toBe(message);
		expect(output).toEqual([]);
	});

	test.each(slow)('%s: is waited for', async (_name, fault) => {
		const { output } = await call(fault);
		expectRequests(request);
		expect(output.map(({ json }) => json)).toEqual([result]);
	});
});
