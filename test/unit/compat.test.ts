import { reasonsOf } from '../../scripts/compat';
import { releaseOf, releases } from '../../scripts/localN8n/releases';

const versions = releases.map(({ version }) => version);

test.each(versions)('n8n %s is known', (version) => {
	expect(releaseOf(version)).toMatchObject({ version });
});

test('says which versions are known when it is asked for another one', () => {
	expect(() => releaseOf('9.9.9')).toThrow(
		`n8n "9.9.9" is not known here. Choose from: ${versions.join(', ')}.`,
	);
});

test('tells each reason of a skipped test once, and a test without one by its name', () => {
	const ended = (status: string, fullName: string) => ({ status, fullName });
	const assertionResults = [
		ended('passed', 'a test (skipped: no)'),
		...['one', 'another'].map((name) => ended('pending', `${name} (skipped: It has no tables.)`)),
		ended('pending', 'a third'),
	];
	const counts = { success: true, numPassedTests: 1, numFailedTests: 0, numPendingTests: 3 };
	expect(reasonsOf({ ...counts, testResults: [{ assertionResults }] })).toEqual([
		'It has no tables.',
		'a third',
	]);
});
