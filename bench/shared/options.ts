import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { PlainError } from '../../scripts/shared/plainError';

const usualParts = ['verification', 'events', 'items', 'soak'] as const;

/** These take hours, so they run only when they are named. */
const longParts = ['flood', 'kills'] as const;

const parts = [...usualParts, ...longParts];

export type Part = (typeof parts)[number];

export interface Options {
	/** What to measure; everything but the floods when none is named. */
	parts: readonly Part[];
	/** How often each contestant has its turn. */
	rounds: number;
	/** How many events each contestant gets in a round. */
	events: number;
	/** How many events each contestant gets in a flood. */
	floodEvents: number;
	/** How many items each contestant gets in a round. */
	items: number;
	/** The same number kills at the same moments. */
	seed: number;
}

export const usage = `npm run bench -- [${parts.join('] [')}] [--rounds N] [--events N] [--items N] [--seed N]`;

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
				rounds: { type: 'string', default: '3' },
				events: { type: 'string' },
				items: { type: 'string', default: '1000' },
				seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
			},
		});
	} catch (error) {
		throw new PlainError(`${error instanceof Error ? error.message : ''}\n${usage}`);
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
	return {
		parts: named.length === 0 ? usualParts : named,
		rounds: wholeNumber('rounds', values.rounds),
		events: wholeNumber('events', values.events ?? '160'),
		floodEvents: wholeNumber('events', values.events ?? '20000'),
		items: wholeNumber('items', values.items),
		seed: wholeNumber('seed', values.seed),
	};
}
