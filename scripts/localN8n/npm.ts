import { writeFile } from 'node:fs/promises';
import { PlainError } from '../shared/plainError';
import { capture } from '../shared/subprocess';

const unreachable =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;
const noSpace = /\bENOSPC\b/;
const noCompiler = /gyp ERR!/;

function reason(output: string): string {
	if (noSpace.test(output)) return 'The disk is full: free 3 GB and run the command again.';
	if (noCompiler.test(output)) {
		return 'Compiling did not succeed: it needs Python 3, make and a C++ compiler. Install them and run the command again.';
	}
	if (unreachable.test(output)) {
		return 'The npm registry could not be reached: check the network, and what "npm config get registry" says, and run the command again.';
	}
	return 'Read what npm says there, and run the command again.';
}

/** With npm's own waits it takes more than a minute to find out that there is no network. */
const briefRetries = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];

/**
 * Tells how far npm is, from what it prints with `--loglevel=http`: a line for each answer of the
 * registry, or of its own cache in the place of it.
 */
export function npmSteps(setStep: (step: string) => void): (text: string) => void {
	const descriptions = new Set<string>();
	const packages = new Set<string>();
	return (text) => {
		// Some are told of twice.
		for (const [, address = ''] of text.matchAll(/npm http (?:fetch GET \d+|cache) (\S+)/g)) {
			(address.endsWith('.tgz') ? packages : descriptions).add(address);
		}
		const isChoosing = packages.size === 0;
		setStep(
			isChoosing
				? `choosing versions: ${descriptions.size}`
				: `downloading packages: ${packages.size}`,
		);
	};
}

/** Runs npm in a folder; a failure is told in one sentence, with npm's own words in a log file. */
export async function npm(
	folder: string,
	args: string[],
	onOutput?: (text: string) => void,
): Promise<void> {
	const { code, output } = await capture('npm', [...args, ...briefRetries], { folder, onOutput });
	if (code === 0) return;
	const log = `${folder}.npm.log`;
	await writeFile(log, output);
	throw new PlainError(`"npm ${args[0] ?? ''}" did not succeed (see ${log}). ${reason(output)}`);
}
