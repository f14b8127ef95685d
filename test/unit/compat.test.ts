import {
	filesNotRun,
	type Run,
	sectionOf,
	unexplained,
	withSection,
} from '../../scripts/compat/report';
import { jestOptions, type Skip, skips, skipsOf } from '../../scripts/compat/skips';
import { releaseOf, releases } from '../../scripts/localN8n/releases';

const versions = releases.map(({ version }) => version);

describe('the tests that are skipped', () => {
	test('are of versions that are known, none of the newest, each with a reason', () => {
		for (const skip of skips) {
			expect(versions).toEqual(expect.arrayContaining(skip.versions));
			expect(skip.reason).toMatch(/^(?:[A-Z]|n8n ).*\.$/);
		}
		expect(skipsOf(releaseOf().version)).toEqual([]);
	});

	test('are left out by jest, and no other one', () => {
		const chosen: Skip[] = [
			{ versions: [], file: 'items', tests: ['makes (1) page', 'b'], reason: '' },
			{ versions: [], file: 'agent', reason: '' },
		];
		const options = jestOptions(chosen);
		expect(options.slice(1)).toEqual(['--testPathIgnorePatterns=/agent.test.ts$']);
		const pattern = new RegExp(options[0]?.replace('--testNamePattern=', '') ?? '', 'i');
		const names = ['makes (1) page', 'b', 'makes 1 page', 'makes (1) page and more', 'a b', ''];
		expect(names.filter((name) => !pattern.test(name))).toEqual(['makes (1) page', 'b']);
		expect(jestOptions([])).toEqual([]);
	});
});

test('says which versions are known when it is asked for another one', () => {
	for (const version of versions) expect(releaseOf(version)).toMatchObject({ version });
	expect(() => releaseOf('9.9.9')).toThrow(
		`n8n "9.9.9" is not known here. Choose from: ${versions.join(', ')}.`,
	);
});

const run: Run = {
	version: '2.0.3',
	nodeVersion: '22.1.0',
	packageVersion: '0.1.0',
	date: '2026-11-28',
	results: [
		{ file: 'credentials', passed: 3, failed: [], skipped: ['is red'] },
		{ file: 'items', passed: 4, failed: ['makes pages', 'the other'], skipped: [] },
	],
	skips: [
		{ versions: ['2.0.3'], file: 'credentials', tests: ['is red'], reason: 'It is blue.' },
		{ versions: ['2.0.3'], file: 'agent', reason: 'It has none.' },
	],
	notRun: ['queue'],
};

test('the page has the figures, and names what failed and what was skipped', () => {
	const section = sectionOf(run);
	expect(section).toContain('Node.js 22.1.0, 2026-11-28: 7 passed, 2 failed, 1 skipped.');
	expect(section).toContain('Not run:\n\n- queue\n');
	expect(section).toContain('- items: makes pages\n- items: the other\n');
	expect(section).toContain(
		'- It is blue.\n  - credentials: is red\n- It has none.\n  - all of agent',
	);
});

test('the page keeps the sections of the other versions, newest first', () => {
	const section = (version: string, text: string) => `## n8n ${version}\n\n${text}\n`;
	let page = withSection('', section('2.0.3', 'old'));
	page = withSection(page, section('1.123.77', 'older'));
	page = withSection(page, section('2.41.1', 'new'));
	page = withSection(page, section('2.0.3', 'once more'));
	const [introduction, ...sections] = page.split(/^(?=## )/m).map((text) => text.trim());
	expect(introduction).toMatch(/^# Compatibility\n/);
	expect(sections).toEqual([
		'## n8n 2.41.1\n\nnew',
		'## n8n 2.0.3\n\nonce more',
		'## n8n 1.123.77\n\nolder',
	]);
});

test('what was not run, and skips without a reason or a test, are found', () => {
	expect(filesNotRun(['agent', 'credentials', 'items', 'queue'], run)).toEqual(['queue']);
	expect(unexplained(run)).toEqual([]);
	expect(unexplained({ ...run, skips: [] })).toEqual(['skipped, why? credentials: is red']);
	expect(unexplained({ ...run, results: [] })).toEqual(['no such test: credentials: is red']);
});
