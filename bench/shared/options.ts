import { parseArgs } from 'node:util';
import { PlainError } from '../../scripts/shared/terminal';

const usualParts = ['verification', 'events', 'items', 'load'] as const;
/** These take long and need what queue mode needs, so they run only when they are named. */
const floodParts = ['flood', 'queue', 'restarts', 'kills'] as const;
const parts = [...usualParts, ...floodParts];
export type Part = (typeof parts)[number];

const defaults = {
	rounds: 3, // how often each contestant has its turn
	events: 160, // how many events each contestant gets in a round
	items: 1000, // how many items each contestant gets in a round
	loads: 25, // how often each contestant is loaded, each time in a new process
	floodEvents: 20_000, // how many events the trigger gets in a flood
	seed: 1, // the same number kills at the same moments
};
type NumberName = keyof typeof defaults;
const numberNames = Object.keys(defaults) as NumberName[];

export interface Options extends Record<NumberName, number> {
	parts: readonly Part[]; // what to measure; everything but the floods when none is named
}

const usage = [
	`npm run bench -- [${parts.join('] [')}]`,
	...numberNames.map((name) => `[--${name} N]`),
].join(' ');

/** @throws PlainError when the command line can't be read */
export function readOptions(commandLine: string[]): Options {
	try {
		const { values, positionals } = parseArgs({
			args: commandLine,
			allowPositionals: true,
			options: Object.fromEntries(numberNames.map((name) => [name, { type: 'string' } as const])),
		});
		const named = positionals.map((name) => {
			const part = parts.find((candidate) => candidate === name);
			if (part === undefined) throw new Error(`There is no part "${name}".`);
			return part;
		});
		const numbers = numberNames.map((name) => {
			const text = String(values[name] ?? defaults[name]);
			if (/^[1-9]\d*$/.test(text)) return [name, Number(text)] as const;
			throw new Error(`--${name} must be a whole number from 1 on, but is "${text}".`);
		});
		return {
			parts: named.length === 0 ? usualParts : named,
			...(Object.fromEntries(numbers) as Record<NumberName, number>),
		};
	} catch (error) {
		throw new PlainError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
	}
}
