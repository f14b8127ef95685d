import { parseArgs } from 'node:util';
import { capture } from './shared/subprocess';
import { PlainError, runMain } from './shared/terminal';

/** `test/README.md` explains them; without `places` or `since`, all nodes are broken. */
export function readArguments(args: string[]) {
	const { values, positionals: places } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			since: { type: 'string' },
			tests: { type: 'string' },
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
			allKillers: { type: 'boolean', default: false },
		},
	});
	if (values.sample !== undefined && !/^[1-9]\d*$/.test(values.sample)) {
		throw new PlainError(`--sample takes a number of mutants, but it is "${values.sample}".`);
	}
	return { ...values, places };
}

async function changedSince(commit: string): Promise<string[]> {
	const changed = ['diff', '--name-only', '--diff-filter=d', commit, '--', 'nodes/*.ts'];
	const { code, output } = await capture('git', changed);
	if (code !== 0) throw new PlainError(output);
	if (output === '') throw new PlainError(`Nothing in nodes/ differs from ${commit}.`);
	return output.trim().split('\n');
}

/** `npm run test:mutation`: breaks nodes in each way that Stryker knows; names what no test notices. */
async function mutation(): Promise<void> {
	const options = readArguments(process.argv.slice(2));
	const { since, tests, sample, seed, allKillers } = options;
	const places = since === undefined ? options.places : await changedSince(since);
	const patterns = places.map((place) => (place.includes('.ts') ? place : `${place}/**/*.ts`));
	const environment = {
		...process.env,
		TZ: 'America/New_York', // as in `jest.config.ts`
		CI: 'true', // models have a fixed seed with it, and here they are short, too
		MODEL_SECONDS: '3',
		...(sample !== undefined && { MUTATION_SAMPLE: sample, MUTATION_SEED: seed }),
		...(allKillers && { MUTATION_ALL_KILLERS: 'true' }),
	};
	const args = [
		...(patterns.length > 0 ? ['--mutate', patterns.join(',')] : []),
		...(tests !== undefined ? ['--testFiles', tests] : []),
		...(allKillers ? ['--disableBail'] : []),
	];
	const { code } = await capture('stryker', ['run', ...args], { environment, isShown: true });
	process.exitCode = code;
}

if (require.main === module) runMain(mutation);
