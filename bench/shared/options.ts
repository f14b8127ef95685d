import { parseArgs } from 'node:util';
import { PlainError } from '../../scripts/shared/plainError';

const usualParts = ['verification', 'events', 'items', 'soak', 'load', 'many', 'list'] as const;

/** These take hours, so they run only when they are named. */
const longParts = ['flood', 'queue', 'restarts', 'kills'] as const;

const parts = [...usualParts, ...longParts];

export type Part = (typeof parts)[number];

const defaults = {
	/** How often each contestant has its turn. */
	rounds: 3,
	/** How many events each contestant gets in a round. */
	events: 160,
	/** How many items each contestant gets in a round. */
	items: 1000,
	/** How often each contestant is loaded, each time in a new process. */
	loads: 25,
	/** How many workflows are published on one n8n. */
	workflows: 200,
	/** How many rows the one long list has. */
	rows: 20_000,
	/** How many events the trigger gets in a flood. */
	floodEvents: 20_000,
	/** The same number kills at the same moments. */
	seed: 1,
};

type NumberName = keyof typeof defaults;

const numberNames = Object.keys(defaults) as NumberName[];

export interface Options extends Record<NumberName, number> {
	/** What to measure; everything but the floods when none is named. */
	parts: readonly Part[];
	/** Whether to put what was measured into docs/performance.md. */
	write: boolean;
}

const usage = [
	`npm run bench -- [${parts.join('] [')}] [--write]`,
	...numberNames.map((name) => `[--${name} N]`),
].join(' ');

function wholeNumber(name: string, text: string): number {
	if (/^[1-9]\d*$/.test(text)) return Number(text);
	throw new PlainError(`--${name} must be a whole number from 1 on, but is "${text}".\n${usage}`);
}

function parse(commandLine: string[]) {
	try {
		return parseArgs({
			args: commandLine,
			allowPositionals: true,
			options: {
				write: { type: 'boolean', default: false },
				rounds: { type: 'string' },
				events: { type: 'string' },
				items: { type: 'string' },
				loads: { type: 'string' },
				workflows: { type: 'string' },
				rows: { type: 'string' },
				floodEvents: { type: 'string' },
				seed: { type: 'string' },
			},
		});
	} catch (error) {
		throw new PlainError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
	}
}

/** @throws PlainError when the command line can't be read */
export function readOptions(commandLine: string[]): Options {
	const { values, positionals } = parse(commandLine);
	const named = positionals.map((name) => {
		const part = parts.find((candidate) => candidate === name);
		if (part === undefined) throw new PlainError(`There is no part "${name}".\n${usage}`);
		return part;
	});
	const numbers = numberNames.map((name) => {
		const text = values[name];
		return [name, text === undefined ? defaults[name] : wholeNumber(name, text)] as const;
	});
	return {
		parts: named.length === 0 ? usualParts : named,
		write: values.write,
		...(Object.fromEntries(numbers) as Record<NumberName, number>),
	};
}
