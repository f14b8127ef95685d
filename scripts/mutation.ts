import path from 'node:path';
import { type MutationArguments, readArguments } from './mutation/arguments';
import { runMain } from './shared/main';
import { PlainError } from './shared/plainError';
import { projectRoot } from './shared/root';
import { capture, show } from './shared/subprocess';

async function changedSince(commit: string): Promise<string[]> {
	const changed = ['diff', '--name-only', '--diff-filter=d', commit, '--', 'nodes/*.ts'];
	const { code, output } = await capture('git', changed);
	if (code !== 0) throw new PlainError(output);
	if (output === '') throw new PlainError(`Nothing in nodes/ differs from ${commit}.`);
	return output.trim().split('\n');
}

/** What the config, the runner and the models read; see `jest.config.ts` for the time zone. */
function environmentOf({ sample, seed, allKillers }: MutationArguments): NodeJS.ProcessEnv {
	return {
		...process.env,
		TZ: 'America/New_York',
		// With it, models have a fixed seed.
		CI: 'true',
		MODEL_SECONDS: '3',
		...(sample !== undefined && { MUTATION_SAMPLE: sample, MUTATION_SEED: seed }),
		...(allKillers && { MUTATION_ALL_KILLERS: 'true' }),
	};
}

/**
 * `npm run test:mutation -- nodes/PaymentPage/run` breaks a folder in each way that Stryker knows,
 * and lists what no test notices.
 */
async function mutation(): Promise<void> {
	const chosen = readArguments(process.argv.slice(2));
	const { since, tests, allKillers, force } = chosen;
	const places = since === undefined ? chosen.places : await changedSince(since);
	const patterns = places.map((place) => (place.includes('.ts') ? place : `${place}/**/*.ts`));
	process.exitCode = await show(
		path.join(projectRoot, 'node_modules', '.bin', 'stryker'),
		[
			'run',
			...(patterns.length > 0 ? ['--mutate', patterns.join(',')] : []),
			...(tests !== undefined ? ['--testFiles', tests] : []),
			...(allKillers ? ['--disableBail'] : []),
			...(force ? ['--force'] : []),
		],
		{ environment: environmentOf(chosen) },
	);
}

runMain(mutation);
