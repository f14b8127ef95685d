import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const programNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') return false;
		throw error;
	}
}

/** The browser of this machine: what `CHROMIUM` names, or the first one on the PATH, if any. */
export function findChromium(): string | undefined {
	const chosen = process.env.CHROMIUM;
	if (chosen) return chosen;
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	return folders
		.flatMap((folder) => programNames.map((name) => path.join(folder, name)))
		.find(isExecutable);
}
