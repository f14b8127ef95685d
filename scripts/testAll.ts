import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { n8nVersion } from './localN8n/installation';
import { releases } from './localN8n/releases';
import { runMain } from './shared/main';
import { PlainError } from './shared/plainError';
import { show } from './shared/subprocess';

const older = releases.map(({ version }) => version).filter((version) => version !== n8nVersion);

/** Arguments of npm. Each command fails when something is wrong, whatever it measures beside. */
const commands: string[][] = [
	['test', '--', '--all'],
	['run', 'bench', '--', 'flood', 'queue', 'kills', '--floodEvents', '1000', '--items', '20'],
	['run', 'test:compat', '--', ...older],
];

/**
 * `npm run test:all`: what is worth its hours before a release. Beside all tests: ten minutes for each
 * model, small floods and kills, and older versions of n8n.
 */
async function testAll(): Promise<void> {
	const pictures = await mkdtemp(path.join(tmpdir(), 'payment-pages-pictures-'));
	const environment = { MODEL_SECONDS: '600', ...process.env, CI: 'true', PICTURES: pictures };
	const failed: string[] = [];
	try {
		for (const args of commands) {
			const command = `npm ${args.join(' ')}`;
			console.log(`\n> ${command}\n`);
			if ((await show('npm', args, { environment })) !== 0) failed.push(command);
		}
	} finally {
		await rm(pictures, { recursive: true });
	}
	if (failed.length > 0) throw new PlainError(`\nFailed:\n  ${failed.join('\n  ')}`);
	console.log('\nNothing failed.');
}

runMain(testAll);
