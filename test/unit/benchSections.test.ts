import { withSection } from '../../bench/shared/sections';

const titles = ['Loading', 'Items', 'Events'];

function sectionsOf(document: string): string[] {
	return document.split(/^## /m).slice(1);
}

test('begins a document with what it is about', () => {
	const document = withSection('', titles, 'Items', 'figures of items\n');
	expect(document).toMatch(/^# Performance\n/);
	expect(sectionsOf(document)).toEqual(['Items\n\nfigures of items\n']);
});

test('replaces a section, and leaves the others as they are', () => {
	const before = ['Loading', 'Items', 'Events'].reduce(
		(document, title) => withSection(document, titles, title, `old ${title}\n\n### More\n\ntext`),
		'',
	);
	const after = withSection(before, titles, 'Items', 'new');
	expect(sectionsOf(after)).toEqual([
		'Loading\n\nold Loading\n\n### More\n\ntext\n\n',
		'Items\n\nnew\n\n',
		'Events\n\nold Events\n\n### More\n\ntext\n',
	]);
	expect(withSection(after, titles, 'Items', 'new')).toBe(after);
});

test('puts sections in the order of the titles, whatever was measured first', () => {
	const later = withSection('', titles, 'Events', 'later');
	expect(sectionsOf(withSection(later, titles, 'Loading', 'first'))).toEqual([
		'Loading\n\nfirst\n\n',
		'Events\n\nlater\n',
	]);
});

test('keeps a section that it does not know, at the end', () => {
	const document = withSection('## Notes\n\nby hand\n', titles, 'Items', 'figures');
	expect(sectionsOf(document)).toEqual(['Items\n\nfigures\n\n', 'Notes\n\nby hand\n']);
});
