import path from 'node:path';
import { debianPackages } from '../../scripts/queue/debian';
import { projectRoot } from '../../scripts/shared/root';
import { capture } from '../../scripts/shared/subprocess';
import { isMissing, older, testUnless, withoutTables } from './support/needs';

jest.setTimeout(300_000);

/** Runs the command behind `npm start`: it makes pages of the CRM rows, prints their links, and ends. */
async function startOnce(...args: string[]): Promise<string> {
	const script = path.join(projectRoot, 'scripts', 'start.ts');
	const command = ['--import', 'tsx', script, ...args, '--once'];
	const { code, output } = await capture(process.execPath, command, { environment: process.env });
	expect(output).toContain('Payment pages created from the rows of crm.csv: 28.');
	expect(output).toMatch(/Amelia Hart +1249\.50 +paid +http/);
	for (const reference of ['inv-2026-0101', 'inv-2026-0128', 'inv-2026-0130']) {
		expect(output).toMatch(new RegExp(`http://127\\.0\\.0\\.1:\\d+/pay/test-${reference}\n`));
	}
	expect(code).toBe(0);
	return output;
}

testUnless(older, withoutTables)(
	'makes pages, prints their links and ends, with --once',
	async () => {
		await startOnce();
	},
);

const testQueue = isMissing(...debianPackages) ? test.skip : testUnless(older, withoutTables);

testQueue('does so in queue mode, too', async () => {
	const words = /The workers ran (\d+) and (\d+) of these executions/;
	const [, first, second] = words.exec(await startOnce('queue')) ?? [];
	// Two started by hand and one by the payment.
	expect(Number(first) + Number(second)).toBe(3);
});
