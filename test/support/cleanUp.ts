const steps: Array<() => Promise<unknown>> = [];

/** Has something done after the last test of the file, also if a later part of its set-up fails. */
export function cleanUp(step: () => Promise<unknown>): void {
	steps.push(step);
}

afterAll(async () => {
	while (steps.length > 0) await steps.pop()?.();
}, 120_000);
