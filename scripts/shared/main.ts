import { PlainError } from './plainError';

/** Runs a command's main function; whatever it throws ends the process with exit code 1. */
export function runMain(main: () => Promise<void>): void {
	main().catch((error: unknown) => {
		console.error(
			error instanceof PlainError ? error.message : error instanceof Error ? error.stack : error,
		);
		process.exitCode = 1;
	});
}
