import { rm } from 'node:fs/promises';
import path from 'node:path';
import { bundle } from './build/bundle';
import { fillInHomepage } from './build/homepage';
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

/** Checks the package and compiles it into a clean `dist`: JavaScript, icons, codex files, links. */
export async function buildPackage(): Promise<void> {
	await rm(path.join(projectRoot, 'dist'), { recursive: true, force: true });
	// The types alone: esbuild does not look at them.
	await tool('tsc', ['--project', 'tsconfig.build.json']);
	await bundle(projectRoot);
	await tool('gulp', ['--silent']);
	await fillInHomepage(projectRoot);
}

if (require.main === module) runMain(buildPackage);
