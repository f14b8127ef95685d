const introduction = `# Performance

What the nodes cost, compared with what you would use instead.

- **Many rows**: with _Map Automatically_, a thousand rows take about 40% less time than with n8n's HTTP Request node. With an expression in many fields, evaluating them is the largest cost.
- **A slow service**: the node adds about 5% to the time that the service takes.
- **Many events** on your own n8n: set \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` in every process. Throughput was more than five times higher, in one process and in queue mode. Without it, this trigger is about as fast as n8n's GitHub Trigger, and half as fast as the Webhook node, which verifies nothing.
- **Under attack**: a forged event costs less than a real one, and starts nothing.

\`npm run bench -- --write\` measures everything on your machine and writes this page; \`npm run bench -- load --write\` measures one part and replaces its section. [\`bench/README.md\`](../bench/README.md) describes the parts. The goals are the project's own, and "NOT met" marks those that this machine did not reach.

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
