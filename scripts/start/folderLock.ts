import { PlainError } from '../shared/plainError';
import { releaseLock, takeLock } from '../shared/lock';

function lockFile(userFolder: string): string {
	return `${userFolder}.lock`;
}

/** Two n8n on one database would damage it. */
export async function lockFolder(userFolder: string): Promise<void> {
	if (await takeLock(lockFile(userFolder))) return;
	throw new PlainError(
		`Another "npm start" already uses ${userFolder}. Use that one, or stop it with Ctrl-C.`,
	);
}

export async function unlockFolder(userFolder: string): Promise<void> {
	await releaseLock(lockFile(userFolder));
}
