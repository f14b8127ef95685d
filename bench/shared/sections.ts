const introduction = `# Performance

What the nodes cost, compared with what you would use instead. \`npm run bench -- --write\` measures everything on your machine and writes this page; \`npm run bench -- load --write\` measures one part and replaces its section. [\`bench/README.md\`](../bench/README.md) describes the parts.

Look at the ratios. The times depend on the machine, and on what else it does: a load average above the number of cores means that other programs slowed the measurement down.`;

const titleLine = /^## (.*)$/m;

/**
 * The document with this section in the place of the one with its title; all others stay as they are.
 *
 * @param titles in the order in which sections stand
 */
export function withSection(
	document: string,
	titles: readonly string[],
	title: string,
	text: string,
): string {
	// With a group in the separator, `split` gives titles and texts in turn after the beginning.
	const [, ...found] = document.split(titleLine);
	const sections = new Map<string, string>();
	for (let index = 0; index < found.length; index += 2) {
		sections.set(found[index] ?? '', (found[index + 1] ?? '').trim());
	}
	sections.set(title, text.trim());
	const order = new Set([...titles, ...sections.keys()]);
	const ordered = [...order].flatMap((each) => {
		const section = sections.get(each);
		return section === undefined ? [] : [`## ${each}\n\n${section}`];
	});
	return `${[introduction, ...ordered].join('\n\n')}\n`;
}
