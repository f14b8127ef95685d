/**
 * Skips all tests of the file that calls it, where a Debian package is missing (see `globalSetup`).
 * It comes before everything else in the file, which does not notice.
 */
export function needs(...packages: string[]): void {
	const missing = process.env.PAYMENT_PAGES_MISSING?.split(' ') ?? [];
	if (!packages.some((each) => missing.includes(each))) return;
	const no = () => undefined;
	const hooks = { beforeAll: no, beforeEach: no, afterEach: no, afterAll: no };
	Object.assign(globalThis, { test: test.skip, describe: describe.skip, ...hooks });
}
