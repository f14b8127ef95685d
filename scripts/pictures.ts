import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PlainError } from './shared/plainError';
import { runMain } from './shared/main';
import { projectRoot } from './shared/root';
import { runJest } from './test/jestRun';

const folder = path.join(projectRoot, 'docs', 'pictures');

/** `npm run pictures`: the browser tests take the pictures of the docs again, all of them. */
async function pictures(): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	process.env.PICTURES = folder;
	const { failed } = await runJest(['browser'], ['--maxWorkers=1']);
	if (failed > 0) {
		throw new PlainError(
			`The pictures in ${folder} are incomplete, because a browser test failed.`,
		);
	}
	console.log(`\nThe pictures are in ${folder}. Look at each of them before you commit it.`);
}

runMain(pictures);
