import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';

/** Where `npm run pictures` has the pictures of the docs put; other runs take none. */
const folder = process.env.PICTURES;

/** Dots of a picture for each dot of the page: sharp on today's screens. */
export const pictureScale = folder === undefined ? 1 : 2;

/** The smallest area that holds all parts, with some space around them; without parts, the window. */
async function areaAround(page: Page, parts: Locator[], space: number) {
	const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
	if (parts.length === 0) return { x: 0, y: 0, width, height };
	const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
	const seen = boxes.filter((box) => box !== null);
	const left = Math.max(0, Math.min(...seen.map((box) => box.x)) - space);
	const top = Math.max(0, Math.min(...seen.map((box) => box.y)) - space);
	const right = Math.min(width, Math.max(...seen.map((box) => box.x + box.width)) + space);
	const bottom = Math.min(height, Math.max(...seen.map((box) => box.y + box.height)) + space);
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Resolves when the page has done what it does about a new colour scheme: change images, above all. */
const schemeIsDrawn = `(async () => {
	for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
	const visible = [...document.images].filter((image) => image.checkVisibility());
	await Promise.all(visible.map((image) => image.decode()));
})()`;

/** What comes and goes by itself, and is there in one picture and not in the other. */
const passing = '.el-notification, [role="tooltip"] { visibility: hidden !important; }';

export interface PictureOptions {
	/** What the picture is to show; the whole window when left out. */
	parts?: Locator[];
	/** Space around the parts; less than none cuts their frame off. */
	space?: number;
	/** Whether there is a picture in the dark colour scheme, too. */
	dark?: boolean;
	/** What the mouse is over; n8n marks what belongs to it. */
	hovered?: Locator;
}

/** Takes a picture for the docs as a test has arranged it: `<name>.png`, and `<name>-dark.png` if asked for. */
export async function takePicture(
	page: Page,
	name: string,
	{ parts = [], space = 0, dark = false, hovered }: PictureOptions = {},
): Promise<void> {
	if (folder === undefined) return;
	// Away from everything that shows more while a mouse is over it.
	if (hovered) await hovered.hover();
	else await page.mouse.move(0, 0);
	const clip = await areaAround(page, parts, space);
	for (const colorScheme of dark ? (['dark', 'light'] as const) : (['light'] as const)) {
		await page.emulateMedia({ colorScheme });
		await page.evaluate(schemeIsDrawn);
		const options = { animations: 'disabled', style: passing, scale: 'device', clip } as const;
		const shot = await page.screenshot(options);
		const suffix = colorScheme === 'dark' ? '-dark' : '';
		// At most 256 colours, which is plenty for these and less than half the bytes.
		const palette = sharp(shot).png({ palette: true, effort: 10 });
		await palette.toFile(path.join(folder, `${name}${suffix}.png`));
	}
}
