import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';
import { projectRoot } from '../../scripts/shared/root';
import { withSection } from './sections';

const file = path.join(projectRoot, 'docs', 'performance.md');

/** What a part of the benchmark found, as Markdown. */
export class Report {
	private readonly texts: string[] = [];

	/** Shows it at once, and keeps it for `write`. */
	async add(...blocks: string[]): Promise<void> {
		const text = await format(blocks.join('\n\n'), { parser: 'markdown' });
		console.log(text);
		this.texts.push(text);
	}

	/**
	 * Puts all of it into docs/performance.md, as the section with this title.
	 *
	 * @param titles of all sections, in their order
	 */
	async write(titles: readonly string[], title: string): Promise<void> {
		const old = existsSync(file) ? await readFile(file, 'utf8') : '';
		const changed = withSection(old, titles, title, this.texts.join('\n'));
		await writeFile(file, await format(changed, { parser: 'markdown' }));
	}
}
