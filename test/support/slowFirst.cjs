const Sequencer = require('@jest/test-sequencer').default;

/** These take longest, the slowest first. */
const slow = ['editor', 'queue', 'start', 'communityInstall', 'reminders', 'walk'];

function rank({ path }) {
	const index = slow.findIndex((name) => path.endsWith(`/${name}.test.ts`));
	return index < 0 ? slow.length : index;
}

/** Begins with what would else be waited for at the end, where jest knows of no earlier run. */
module.exports = class extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const isKnown = sorted.some(({ duration }) => duration !== undefined);
		return isKnown ? sorted : sorted.toSorted((one, other) => rank(one) - rank(other));
	}
};
