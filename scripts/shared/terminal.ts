/** An error whose message says to the person at the terminal what to do: it is printed alone. */
export class PlainError extends Error {
	override name = 'PlainError';
}

/** Runs a command's main function; what it throws ends the process with exit code 1. */
export function runMain(main: () => Promise<void>): void {
	main().catch((error: unknown) => {
		console.error(error instanceof PlainError ? error.message : error);
		process.exitCode = 1;
	});
}

/** Resolves on Ctrl-C or SIGTERM. Another one, such as through the parent, breaks off no clean-up. */
export function untilInterrupted(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve());
	});
}
