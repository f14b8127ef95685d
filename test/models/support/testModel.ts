import fc from 'fast-check';

interface Model<Steps> {
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
	const text = process.env[name] ?? '';
	const number = Number(text);
	if (!Number.isSafeInteger(number)) throw new Error(`${name} is not a whole number: ${text}`);
	return text === '' ? undefined : number;
}

/**
 * A test that draws sequences of steps and runs them. A failure shows the seed and the shortest
 * sequence that was found; `MODEL_SEED` repeats a seed, `MODEL_SECONDS` runs for longer.
 */
export function testModel<Steps>(name: string, model: Model<Steps>): void {
	const seconds = numberFrom('MODEL_SECONDS');
	const newSeed = process.env.CI === 'true' ? fixedSeed : Date.now() & 0x7fffffff;
	const seed = numberFrom('MODEL_SEED') ?? newSeed;
	const length =
		seconds === undefined
			? { numRuns: model.runs }
			: { numRuns: 10_000_000, plugins: [fc.interruptAfterTimeLimit(seconds * 1_000)] };
	const check = async () => {
		let last = Promise.resolve();
		let count = 0;
		const property = fc.asyncProperty(model.steps, async (drawn) => {
			count++;
			last = model.run(drawn);
			await last;
		});
		const examples = model.onceFailed.map((drawn): [Steps] => [drawn]);
		try {
			await fc.assert(property, { seed, examples, ...length });
		} finally {
			// When the time is up, the run under way is not waited for.
			await last.catch(() => undefined);
			process.stderr.write(`${name}: seed ${seed}, ${count} runs\n`);
		}
	};
	test(name, check, ((seconds ?? 0) + 15 * 60) * 1_000);
}
