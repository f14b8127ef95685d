import { createHash } from 'node:crypto';
import { CheckStatus } from '@stryker-mutator/api/check';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';

const { MUTATION_SAMPLE: size, MUTATION_SEED: seed } = process.env;

/** A hash and no chance decides, so that a seed gives the same sample of the same code. */
function rank({ fileName, location, mutatorName, replacement }) {
	const file = fileName.slice(fileName.lastIndexOf('/nodes/'));
	const key = JSON.stringify([seed, file, location, mutatorName, replacement]);
	return createHash('sha256').update(key).digest('hex');
}

/** Lets the same share of each file's mutants pass, one at least. The rest is left out of the score. */
class Sample {
	async init() {}

	/** All at once: the share needs their number. */
	async group(mutants) {
		return [mutants.map(({ id }) => id)];
	}

	async check(mutants) {
		const left = { status: CheckStatus.CompileError, reason: 'Not in the sample' };
		const results = Object.fromEntries(mutants.map(({ id }) => [id, left]));
		for (const ofFile of Map.groupBy(mutants, ({ fileName }) => fileName).values()) {
			const count = Math.ceil((ofFile.length * size) / mutants.length);
			const ranked = ofFile.map(({ id, ...mutant }) => ({ id, rank: rank(mutant) }));
			ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
			for (const { id } of ranked.slice(0, count)) results[id] = { status: CheckStatus.Passed };
		}
		return results;
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)];
