import { waitFor } from '../../scripts/shared/waitFor';
import { startExecution } from './harness';
import { automatic, credentialsFor, useSandbox } from './sandbox';

/** The engine that these tests run in does what n8n does; each later test rests on it. */
const sandbox = useSandbox();

const rows = ['Anna', 'Bert'].map((pageName) => ({ pageName, amount: 12.5 }));

test('evaluates expressions for each item', async () => {
	const { output } = await sandbox.run({
		rows,
		parameters: { pageName: '={{ $json.pageName + "!" }}', amount: '={{ 2 * $json.amount }}' },
	});
	expect(output.map(({ json }) => [json.pageName, json.amount])).toEqual([
		['Anna!', 25],
		['Bert!', 25],
	]);
});

test('fails the execution when the node fails', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode' }] });
	const { run, error, output } = await sandbox.run({ rows, parameters: automatic('create') });
	expect(run.status).toBe('error');
	expect(error?.message).toContain('System malfunction');
	expect(output).toEqual([]);
});

test('runs the node again with "Retry On Fail"', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', times: 2 }] });
	const { run, output } = await sandbox.run({
		rows: rows.slice(0, 1),
		parameters: automatic('create'),
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	});
	expect(run.status).toBe('success');
	expect(output).toHaveLength(1);
	expect(sandbox.requests).toHaveLength(3);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'goes on after a failed item with %s',
	async (onError) => {
		sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [1] }] });
		const { run, output, errorOutput } = await sandbox.run({
			rows,
			parameters: automatic('create', { maxParallelRequests: 1 }),
			settings: { onError },
		});
		expect(run.status).toBe('success');
		expect(output).toHaveLength(onError === 'continueRegularOutput' ? 2 : 1);
		expect(errorOutput).toHaveLength(onError === 'continueRegularOutput' ? 0 : 1);
	},
);

test('stops when the execution is cancelled', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'hang' }] });
	const execution = startExecution({
		rows,
		parameters: automatic('create'),
		credentials: credentialsFor(sandbox.service),
	});
	await waitFor(() => sandbox.requests.length === 2, { what: 'both requests' });
	execution.cancel();
	const { run } = await execution.finished;
	expect(run.status).toBe('canceled');
});
