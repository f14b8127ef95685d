import { PlainError } from '../shared/plainError';

/** Much of their time is waiting for a retry, so two files for each core. */
export const quick = { projects: ['unit', 'engine', 'models', 'sandbox', 'package'], workers: 4 };

/**
 * Their files start an n8n or a browser each: more of them at once would starve each other. Jest runs the
 * slowest first, by what they took the last time.
 */
export const slow = { projects: ['e2e', 'browser'], workers: 2 };

export interface Chosen {
	projects: string[];
	/** Whether what is only worth its time before a release is among them. */
	all: boolean;
	checks: boolean;
}

/** `npm test -- unit engine` runs some kinds of tests alone; `--all` leaves none of them out. */
export function readArguments(args: string[]): Chosen {
	const known = [...quick.projects, ...slow.projects];
	const named = args.filter((argument) => argument !== '--all');
	const unknown = named.find((project) => !known.includes(project));
	if (unknown !== undefined) {
		throw new PlainError(
			`There are no "${unknown}" tests. Choose one or more of these: ${known.join(', ')}.`,
		);
	}
	const checks = named.length === 0;
	return { projects: checks ? known : named, all: args.includes('--all'), checks };
}
