import Sequencer from '@jest/test-sequencer';

/** The files of `e2e` and `browser` that take longest, the longest first. */
const slow = [];

const rank = ({ path }) => {
	const index = slow.findIndex((name) => path.endsWith(`/${name}.test.ts`));
	return index === -1 ? slow.length : index;
};

/** Two files run at a time: a long one that begins last would run alone. */
export default class SlowFirst extends Sequencer {
	sort(tests) {
		return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
	}
}
