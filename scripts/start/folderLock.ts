import { PlainError } from '../shared/plainError';
import { releaseLock, takeLock } from '../shared/lock';

function lockFile(userFolder: string): string {
	return `${userFolder}.lock`;
}

/** Two n8n on one database would damage it. */
export async function lockFolder(userFolder: string): Promise<void> {
	if (await takeLock(lockFile(userFolder))) return;
	throw new PlainError(
		`Another "npm start" already works with ${userFolder}. Stop it with Ctrl-C, or use it.`,
	);
}

export async function unlockFolder(userFolder: string): Promise<void> {
	await releaseLock(lockFile(userFolder));
}
