import { n8nVersion } from '../../../scripts/localN8n/installation';

/** What an older n8n cannot do, whatever the package does. Nothing is skipped for being red. */
export const older = ['1.123.77', '2.0.3'];

export const withoutTables = 'its Data Table node cannot find a table by its name';

type Test = (name: string, run: () => Promise<void>, timeout?: number) => void;

function skip(name: string, reason: string): void {
	test.skip(`${name} (skipped: ${reason})`, () => undefined);
}

/** `test`; on a version that cannot do it, a skipped test whose name has the reason. */
export function testUnless(versions: string[], reason: string): Test {
	return versions.includes(n8nVersion) ? (name) => skip(name, reason) : test;
}

/** From here on, the file has no test and no hook: one skipped test is all there is. */
function skipFile(reason: string): void {
	skip('the whole file', reason);
	const no = Object.assign(() => undefined, { each: () => () => undefined });
	const hooks = { beforeAll: no, beforeEach: no, afterEach: no, afterAll: no };
	Object.assign(globalThis, { test: Object.assign(no, { skip: no }), describe: no, ...hooks });
}

/** For the top of a file of which an older n8n can do nothing. */
export function fileUnless(versions: string[], reason: string): void {
	if (versions.includes(n8nVersion)) skipFile(reason);
}

/** Whether a Debian package is missing where tests may be skipped for it (see `globalSetup`). */
export function isMissing(...packages: string[]): boolean {
	const missing = process.env.PAYMENT_PAGES_MISSING?.split(' ') ?? [];
	return packages.some((each) => missing.includes(each));
}

/** For the top of a file, before everything else: skips it where a Debian package is missing. */
export function needs(...packages: string[]): void {
	if (isMissing(...packages)) skipFile(`${packages.join(', ')} missing`);
}
