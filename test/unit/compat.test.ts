import { reasonsOf } from '../../scripts/compat';

test('tells each reason of a skipped test once, and a test without one by its name', () => {
	const skipped = ['one (skipped: It has none.)', 'another (skipped: It has none.)', 'a third'];
	const assertionResults = [
		{ status: 'passed', fullName: 'a test (skipped: no)' },
		...skipped.map((fullName) => ({ status: 'pending', fullName })),
	];
	const counts = { success: true, numPassedTests: 1, numFailedTests: 0, numPendingTests: 3 };
	const reasons = reasonsOf({ ...counts, testResults: [{ assertionResults }] });
	expect(reasons).toEqual(['It has none.', 'a third']);
});
