import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';
import { capture } from '../../scripts/shared/subprocess';
import { debianPackages } from '../../scripts/queue/debian';
import { needs } from './support/needs';

needs(...debianPackages);

test('does the main job in queue mode and ends, with --once', async () => {
	const script = path.join(projectRoot, 'scripts', 'start.ts');
	const args = ['--import', 'tsx', script, 'queue', '--once'];
	const { code, output } = await capture(process.execPath, args);
	expect(output).toContain('Payment pages created from the rows of crm.csv: 28.');
	expect(output).toMatch(/Amelia Hart +1249\.50 +paid +http/);
	const [, first, second] =
		/The workers ran (\d+) and (\d+) of these executions/.exec(output) ?? [];
	// Two started by hand and one by the payment.
	expect(Number(first) + Number(second)).toBe(3);
	expect(code).toBe(0);
}, 300_000);
