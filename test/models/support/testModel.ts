import fc from 'fast-check';

interface Model<Steps> {
	steps: fc.Arbitrary<Steps>; // what happens in one run, drawn anew for each
	run: (steps: Steps) => Promise<void>; // lets it happen; rejects when a rule is broken
	runs: number; // with CI=true, where they take about a minute; half as many elsewhere, each time others
	examples: Steps[]; // what once broke a rule, and what is seldom drawn: run whatever the seed
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
 * Tests that draw sequences of steps and run them, after the examples. A failure shows the seed and the
 * shortest sequence that was found; `MODEL_SEED` repeats a seed, `MODEL_SECONDS` runs for longer.
 */
export function testModel<Steps>(name: string, model: Model<Steps>): void {
	const seconds = numberFrom('MODEL_SECONDS');
	const isCi = process.env.CI === 'true';
	const newSeed = isCi ? fixedSeed : Date.now() & 0x7fffffff;
	const seed = numberFrom('MODEL_SEED') ?? newSeed;
	const length =
		seconds === undefined
			? { numRuns: isCi ? model.runs : model.runs / 2 }
			: { numRuns: 10_000_000, plugins: [fc.interruptAfterTimeLimit(seconds * 1_000)] };
	model.examples.forEach((example, index) => {
		test(`${name}: example ${index + 1}`, async () => await model.run(example));
	});
	const check = async () => {
		let last = Promise.resolve();
		let count = 0;
		const property = fc.asyncProperty(model.steps, async (drawn) => {
			count++;
			await (last = model.run(drawn));
		});
		try {
			await fc.assert(property, { seed, ...length });
		} finally {
			// When the time is up, the run under way is not waited for.
			await last.catch(() => undefined);
			process.stderr.write(`${name}: seed ${seed}, ${count} runs\n`);
		}
	};
	test(name, check, ((seconds ?? 0) + 15 * 60) * 1_000);
}
