import fc from 'fast-check';

export interface Model<Steps> {
	/** What happens in one run, drawn anew for each. */
	steps: fc.Arbitrary<Steps>;
	/** Lets it happen; rejects when a rule is broken. A run shares nothing with the one before. */
	run: (steps: Steps) => Promise<void>;
	/** So many runs take about a minute on two cores. */
	runs: number;
	/** What once broke a rule. It is run first, whatever the seed. */
	onceFailed: Steps[];
}

/** The seed with `CI=true`: there, a green run must be no luck and a red one no lottery. */
const fixedSeed = 20_181_129;

function numberFrom(name: 'MODEL_SECONDS' | 'MODEL_SEED'): number | undefined {
	const text = process.env[name];
	if (text === undefined || text === '') return undefined;
	const number = Number(text);
	if (!Number.isSafeInteger(number)) throw new Error(`${name} is not a whole number: ${text}`);
	return number;
}

function newSeed(): number {
	return process.env.CI === 'true' ? fixedSeed : Date.now() & 0x7fffffff;
}

/**
 * A test that draws sequences of steps and runs them. A failure shows the seed and the shortest
 * sequence that was found; `MODEL_SEED` repeats a seed, `MODEL_SECONDS` runs for longer.
 */
export function testModel<Steps>(
	name: string,
	{ steps, run, runs, onceFailed }: Model<Steps>,
): void {
	const seconds = numberFrom('MODEL_SECONDS');
	const seed = numberFrom('MODEL_SEED') ?? newSeed();
	const timeout = ((seconds ?? 0) + 15 * 60) * 1_000;
	const check = async () => {
		let last: Promise<void> = Promise.resolve();
		let count = 0;
		const property = fc.asyncProperty(steps, async (drawn) => {
			count++;
			last = run(drawn);
			await last;
		});
		try {
			await fc.assert(property, {
				seed,
				examples: onceFailed.map((drawn) => [drawn]),
				...(seconds === undefined
					? { numRuns: runs }
					: { numRuns: 10_000_000, plugins: [fc.interruptAfterTimeLimit(seconds * 1_000)] }),
			});
		} finally {
			// When the time is up, the run under way is not waited for.
			await last.catch(() => undefined);
			process.stderr.write(`${name}: seed ${seed}, ${count} runs\n`);
		}
	};
	test(name, check, timeout);
}
