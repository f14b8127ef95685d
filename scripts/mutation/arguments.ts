import { parseArgs } from 'node:util';
import { PlainError } from '../shared/plainError';

export interface MutationArguments {
	/** Folders and files of the nodes; none means all. */
	places: string[];
	/** In place of them, the files that differ from this commit. */
	since?: string;
	/** Takes these tests alone (`test/unit/trigger/**`): what would the others be missed for? */
	tests?: string;
	/** Takes about so many mutants, spread over all files; the seed chooses them. */
	sample?: string;
	seed: string;
	/** Names all tests that notice a mutant, and so does not end with the first. */
	allKillers: boolean;
	/** Starts from nothing, not from what earlier runs found. */
	force: boolean;
}

const wholeNumber = /^[1-9]\d*$/;

export function readArguments(args: string[]): MutationArguments {
	const { values, positionals: places } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			since: { type: 'string' },
			tests: { type: 'string' },
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
			allKillers: { type: 'boolean', default: false },
			force: { type: 'boolean', default: false },
		},
	});
	if (values.sample !== undefined && !wholeNumber.test(values.sample)) {
		throw new PlainError(`--sample takes a number of mutants, but it is "${values.sample}".`);
	}
	return { ...values, places };
}
