/** Tests of what an n8n cannot do, whatever the package does. Nothing is in here for being red. */
export interface Skip {
	versions: string[];
	/** The name of the file in `test/e2e`, without its ending. */
	file: string;
	/** The full names of the tests, groups included; without them, it is the whole file. */
	tests?: string[];
	/** What the n8n cannot do: a sentence that people read. */
	reason: string;
}

export const skips: Skip[] = [];

export function skipsOf(version: string): Skip[] {
	return skips.filter(({ versions }) => versions.includes(version));
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The options of jest that leave these tests out. */
export function jestOptions(chosen: Skip[]): string[] {
	const names = chosen.flatMap(({ tests = [] }) => tests).map(escaped);
	const files = chosen.filter(({ tests }) => !tests).map(({ file }) => `/${file}.test.ts$`);
	return [
		...(names.length > 0 ? [`--testNamePattern=^(?!(?:${names.join('|')})$)`] : []),
		...files.map((file) => `--testPathIgnorePatterns=${file}`),
	];
}
