import type { N8nClient } from '../localN8n/client';
import { N8nRequestError } from '../localN8n/session';
import { PlainError } from '../shared/plainError';
import { owner } from './settings';

/** Signs in with the login that `npm start` prints. */
export async function signIn(client: N8nClient, userFolder: string): Promise<void> {
	try {
		await client.signIn(owner);
	} catch (error) {
		if (!(error instanceof N8nRequestError && error.status === 401)) throw error;
		throw new PlainError(
			`n8n no longer accepts the login of "npm start". Change it back to ${owner.email} and ` +
				`${owner.password}, or delete ${userFolder} to start with a new n8n.`,
		);
	}
}
