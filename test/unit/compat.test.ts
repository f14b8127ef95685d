import { reasonsOf } from '../../scripts/compat';
import { releaseOf } from '../../scripts/localN8n/releases';

test('says which versions are known when it is asked for another one', () => {
	const words = 'n8n "9.9.9" is not known here. Choose from: 1.123.77, 2.0.3, 2.41.1.';
	expect(() => releaseOf('9.9.9')).toThrow(words);
	expect(releaseOf('2.0.3')).toMatchObject({ version: '2.0.3' });
});

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
