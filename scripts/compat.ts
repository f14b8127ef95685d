import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failuresOf, filesNotRun, sectionOf, unexplained, withSection } from './compat/report';
import { runTests, testFiles } from './compat/runTests';
import { skipsOf } from './compat/skips';
import { nodeExecutable } from './localN8n/installation';
import { releaseOf, releases } from './localN8n/releases';
import { runMain } from './shared/main';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';

const pageFile = path.join(projectRoot, 'docs', 'compatibility.md');

async function packageVersion(): Promise<string> {
	const text = await readFile(path.join(projectRoot, 'package.json'), 'utf8');
	return (JSON.parse(text) as { version: string }).version;
}

/** Puts the section into the page, in the form that `npm run format` gives it. */
async function writeSection(section: string): Promise<void> {
	const page = withSection(await readFile(pageFile, 'utf8').catch(() => ''), section);
	const { format, resolveConfig } = await import('prettier');
	const options = await resolveConfig(pageFile);
	await writeFile(pageFile, await format(page, { ...options, filepath: pageFile }));
}

/** Runs the tests on one version; gives what is wrong. */
async function testOn(version: string): Promise<string[]> {
	const results = await runTests(version);
	const { output } = await capture(nodeExecutable(releaseOf(version)), ['--version']);
	const run = { results, skips: skipsOf(version) };
	const notRun = filesNotRun(await testFiles(), run);
	const section = sectionOf({
		...run,
		notRun,
		version,
		nodeVersion: output.trim().replace(/^v/, ''),
		packageVersion: await packageVersion(),
		date: new Date().toISOString().slice(0, 10),
	});
	await writeSection(section);
	const wrong = [
		...failuresOf(results),
		...unexplained(run),
		...notRun.map((file) => `not run: ${file}`),
	];
	return wrong.map((text) => `n8n ${version}: ${text}`);
}

/** `npm run test:compat`: the end-to-end tests on each version of n8n that is known here, or on some. */
async function compat(): Promise<void> {
	const named = process.argv.slice(2).map((version) => releaseOf(version));
	const wrong: string[] = [];
	// One after the other: each takes all of the machine.
	for (const { version } of named.length > 0 ? named : releases) {
		wrong.push(...(await testOn(version)));
	}
	console.log(wrong.length === 0 ? '\nNothing failed.' : `\n${wrong.join('\n')}`);
	console.log(`See ${path.relative(projectRoot, pageFile)}.`);
	if (wrong.length > 0) process.exitCode = 1;
}

runMain(compat);
