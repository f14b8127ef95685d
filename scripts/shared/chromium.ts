import { existsSync } from 'node:fs';
import path from 'node:path';

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine: what `CHROMIUM` names, or the first one on the PATH, if any. */
export function findChromium(): string | undefined {
	if (process.env.CHROMIUM) return process.env.CHROMIUM;
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const files = folders.flatMap((folder) => programs.map((name) => path.join(folder, name)));
	return files.find((file) => existsSync(file));
}
