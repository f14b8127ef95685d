import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import packageFile from '../package.json';
import { PlainError } from './shared/plainError';
import { runMain } from './shared/main';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';

async function tool(name: string, args: string[]): Promise<void> {
	const { code, output } = await capture(
		path.join(projectRoot, 'node_modules', '.bin', name),
		args,
	);
	if (code !== 0) throw new PlainError(`${output}\nThe build stopped: ${name} found the above.`);
}

/** The files that n8n loads: each exports the class that it is named after. */
const entries = [...packageFile.n8n.nodes, ...packageFile.n8n.credentials];

const bundle = 'dist/package.js';

/** Without `dist/` and `.js`: where the source of an entry is, too. */
function moduleOf(entry: string): string {
	return entry.replace(/^dist\//, './').replace(/\.js$/, '');
}

function classNameOf(entry: string): string {
	return path.basename(entry).split('.')[0] ?? '';
}

/** n8n starts faster when it reads one file instead of a hundred small ones. */
async function bundleEntries(): Promise<void> {
	await build({
		stdin: {
			contents: entries.map((entry) => `export * from '${moduleOf(entry)}';`).join('\n'),
			resolveDir: projectRoot,
		},
		outfile: path.join(projectRoot, bundle),
		bundle: true,
		platform: 'node',
		// The oldest that package.json allows.
		target: 'node20.15',
		format: 'cjs',
		packages: 'external',
		charset: 'utf8',
		logLevel: 'warning',
	});
	for (const entry of entries) {
		const file = path.join(projectRoot, entry);
		const toBundle = path.posix.relative(path.posix.dirname(entry), bundle);
		const name = classNameOf(entry);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, `'use strict';\nexports.${name} = require('${toBundle}').${name};\n`);
	}
}

/** Compiles the package into a clean `dist`: JavaScript, icons and codex files. */
export async function buildPackage(): Promise<void> {
	await rm(path.join(projectRoot, 'dist'), { recursive: true, force: true });
	await tool('tsc', ['--project', 'tsconfig.build.json']);
	await bundleEntries();
	await tool('gulp', ['--silent']);
}

if (require.main === module) runMain(buildPackage);
