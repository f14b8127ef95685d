import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../scripts/shared/root';

const folders = 'bench,credentials,nodes,sandbox,scripts,test';
const files = globSync(`{${folders}}/**/*.ts`, { cwd: projectRoot });

/** The files of the project that a file imports, types included. */
function importsOf(file: string): string[] {
	const { importedFiles } = ts.preProcessFile(readFileSync(path.join(projectRoot, file), 'utf8'));
	return importedFiles.flatMap(({ fileName }) => {
		const target = path.join(path.dirname(file), fileName);
		return [`${target}.ts`, path.join(target, 'index.ts')].filter((each) => files.includes(each));
	});
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** The first circle below a file: each file in it imports the next, and the last one the first. */
function circleFrom(file: string, above: string[], clean: Set<string>): string[] | undefined {
	if (above.includes(file)) return above.slice(above.indexOf(file));
	if (clean.has(file)) return undefined;
	for (const next of imports.get(file) ?? []) {
		const circle = circleFrom(next, [...above, file], clean);
		if (circle) return circle;
	}
	clean.add(file);
	return undefined;
}

test('no files import each other in a circle', () => {
	const clean = new Set<string>();
	expect(files.length).toBeGreaterThan(200);
	expect([...imports.values()].flat().length).toBeGreaterThan(500);
	expect(files.map((file) => circleFrom(file, [], clean)).find(Boolean)).toBeUndefined();
});
