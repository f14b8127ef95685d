import { findChromium } from '../shared/chromium';
import { missingPackages as missingForQueueMode } from '../queue/debian';

/** The Debian packages that some tests need, beside Node.js and npm, and that are not there. */
export async function missingPackages(): Promise<string[]> {
	const browser = findChromium() === undefined ? ['chromium'] : [];
	return [...browser, ...(await missingForQueueMode())];
}

/** What people read of them, in one line. */
export function howToGet(packages: string[]): string {
	return `${packages.join(', ')} missing: sudo apt-get install ${packages.join(' ')}`;
}
