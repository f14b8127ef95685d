import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../scripts/shared/root';

const folders = '{bench,credentials,nodes,sandbox,scripts,test}';
const files = new Set(globSync(`${folders}/**/*.ts`, { cwd: projectRoot }));

/** The files of the project that a file imports, types included. */
function importsOf(file: string): string[] {
	const { importedFiles } = ts.preProcessFile(readFileSync(path.join(projectRoot, file), 'utf8'));
	return importedFiles.flatMap(({ fileName }) => {
		const target = path.join(path.dirname(file), fileName);
		return [`${target}.ts`, path.join(target, 'index.ts')].filter((each) => files.has(each));
	});
}

test('no files import each other in a circle', () => {
	const left = new Map([...files].map((file) => [file, importsOf(file)]));
	expect([...left.values()].flat().length).toBeGreaterThan(500);
	// Each round takes away what imports nothing that is left; in the end, all but circles is gone.
	for (let before = Infinity; left.size < before; ) {
		before = left.size;
		for (const [file, imported] of left) {
			if (!imported.some((each) => left.has(each))) left.delete(file);
		}
	}
	expect([...left]).toEqual([]);
});
