/** Whether a Debian package is missing where tests may be skipped for it (see `globalSetup`). */
export function isMissing(...packages: string[]): boolean {
	const missing = process.env.PAYMENT_PAGES_MISSING?.split(' ') ?? [];
	return packages.some((each) => missing.includes(each));
}

/**
 * Skips all tests of the file that calls it, where a Debian package is missing. It comes before
 * everything else in the file, which does not notice.
 */
export function needs(...packages: string[]): void {
	if (!isMissing(...packages)) return;
	const no = () => undefined;
	const hooks = { beforeAll: no, beforeEach: no, afterEach: no, afterAll: no };
	Object.assign(globalThis, { test: test.skip, describe: describe.skip, ...hooks });
}
