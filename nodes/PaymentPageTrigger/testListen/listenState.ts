import type { IDataObject } from 'n8n-workflow';

import type { WebhookKeys } from '../secrets';
import { withToken } from '../urlToken';

/** What a test notes in its static data, which n8n keeps for as long as it listens. */
export interface ListenState {
	id: string;
	/**
	 * Set when the test has taken the merchant's address over: because the workflow is not published,
	 * or because it is not known whether it is.
	 */
	borrowedFrom?: 'unpublished' | 'unknown';
	/**
	 * Who gets the address after the test if this n8n does not know who had it; '' for nobody. Without
	 * its token: n8n copies static data into executions.
	 */
	heirUrl?: string;
	/** Whether that address is registered with the token. */
	hasToken?: boolean;
}

const key = 'testListen';

export function writeListenState(staticData: IDataObject, state: ListenState): void {
	staticData[key] = { ...state };
}

export function readListenState(staticData: IDataObject): ListenState | undefined {
	return staticData[key] as ListenState | undefined;
}

/** Who gets the address if this n8n does not know who had it; '' for nobody. */
export function heirOf({ heirUrl = '', hasToken }: ListenState, { token }: WebhookKeys): string {
	return heirUrl !== '' && hasToken === true ? withToken(heirUrl, token) : heirUrl;
}
