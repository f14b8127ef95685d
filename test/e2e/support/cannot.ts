import { n8nVersion } from '../../../scripts/localN8n/installation';

/** What an older n8n cannot do, whatever the package does. Nothing is skipped for being red. */
export const older = ['1.123.77', '2.0.3'];

export const withoutTables = 'its Data Table node cannot find a table by its name';

const nothing = Object.assign(() => undefined, { each: () => () => undefined });

function skip(name: string, reason: string): void {
	test.skip(`${name} (skipped: ${reason})`, nothing);
}

type Test = (name: string, run: () => Promise<void>, timeout?: number) => void;

/** `test`; on a version that cannot do it, a skipped test whose name has the reason. */
export function testUnless(versions: string[], reason: string): Test {
	return versions.includes(n8nVersion) ? (name) => skip(name, reason) : test;
}

/** A row of a table of tests; on a version that cannot do it, none but a skipped test. */
export function rowUnless<Row extends [string, ...unknown[]]>(
	versions: string[],
	reason: string,
	row: Row,
): Row[] {
	if (!versions.includes(n8nVersion)) return [row];
	skip(row[0], reason);
	return [];
}

/** For the top of a file: on a version that can do nothing of it, one skipped test is all there is. */
export function fileUnless(versions: string[], reason: string): void {
	if (!versions.includes(n8nVersion)) return;
	skip('the whole file', reason);
	const hooks = { beforeAll: nothing, beforeEach: nothing, afterEach: nothing, afterAll: nothing };
	Object.assign(globalThis, { test: nothing, describe: nothing, ...hooks });
}
