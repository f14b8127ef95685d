import type { Page } from 'playwright-core';

/** The least size of what a finger is to hit, by WCAG 2.2 (2.5.8). */
const leastSize = 24;

/** Texts that the window or a box cuts off, unless people can scroll to their rest. */
const cutOff = `(() => {
	const scrolls = (element) => element.closest('.scroll, .hidden') !== null;
	const isCut = (element) => {
		const clips = getComputedStyle(element).overflowX !== 'visible';
		const { left, right } = element.getBoundingClientRect();
		const window = document.documentElement.clientWidth;
		return left < 0 || right > window || (clips && element.scrollWidth > element.clientWidth);
	};
	const all = [...document.body.querySelectorAll('*')];
	return all.filter((element) => !scrolls(element) && isCut(element)).map(
		(element) => element.tagName + ': ' + element.textContent.trim().slice(0, 60),
	);
})()`;

const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** What a person can't see or reach in a window of this width, in words; empty if all is well. */
export async function misfits(page: Page): Promise<string[]> {
	const found: string[] = [];
	const overhang = await page.evaluate<number>(sideways);
	if (overhang > 0) found.push(`The page is ${overhang} pixels too wide.`);
	for (const text of await page.evaluate<string[]>(cutOff)) found.push(`Cut off: ${text}`);
	for (const target of await page.locator('a, button, input, select').all()) {
		// Fails when something else lies over it, or it can't be scrolled to.
		await target.click({ trial: true, timeout: 5000 });
		const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 };
		if (width >= leastSize && height >= leastSize) continue;
		found.push(`Too small to hit: ${(await target.textContent()) ?? ''}`);
	}
	return found;
}
