import { watch } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

export interface WatchOptions {
	/** The folder with `tsconfig.json`, `nodes`, `credentials` and `icons`. */
	source: string;
	/** The folder of the installed package, from which n8n loads `dist`. */
	installed: string;
}

function report(message: string): void {
	console.log(`${new Date().toLocaleTimeString('en-GB')}  ${message}`);
}

/**
 * Compiles the sources into the installed package whenever one of them changes, and brings the icons
 * along; n8n's hot reload takes it from there. A file with a wrong type is compiled all the same.
 *
 * @returns what ends it
 */
export function watchPackage({ source, installed }: WatchOptions): () => void {
	const dist = path.join(installed, 'dist');
	const host = ts.createWatchCompilerHost(
		path.join(source, 'tsconfig.json'),
		{ outDir: dist },
		ts.sys,
		ts.createEmitAndSemanticDiagnosticsBuilderProgram,
		(diagnostic) => report(ts.formatDiagnostic(diagnostic, formatHost).trim()),
		(_status, _newLine, _options, errorCount) => {
			if (errorCount === undefined) report('Compiling ...');
			else report(errorCount === 0 ? 'Compiled.' : `Compiled, in spite of the above.`);
		},
	);
	const formatHost: ts.FormatDiagnosticsHost = {
		getCanonicalFileName: (name) => name,
		getCurrentDirectory: () => source,
		getNewLine: () => '\n',
	};
	const compiler = ts.createWatchProgram(host);
	const icons = path.join(source, 'icons');
	const copies = watch(icons, (_event, name) => {
		if (name === null) return;
		cp(path.join(icons, name), path.join(dist, 'icons', name)).then(
			() => report(`Copied icons/${name}.`),
			(error: unknown) => report(String(error)),
		);
	});
	return () => {
		copies.close();
		compiler.close();
	};
}
