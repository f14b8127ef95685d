import type { IDataObject } from 'n8n-workflow';

/** What a test notes in its static data, which n8n keeps for as long as it listens. */
export interface ListenState {
	id: string;
	/**
	 * Set when the test has taken the merchant's address over: because the workflow is not published,
	 * or because it is not known whether it is.
	 */
	borrowedFrom?: 'unpublished' | 'unknown';
}

const key = 'testListen';

export function writeListenState(staticData: IDataObject, state: ListenState): void {
	staticData[key] = { ...state };
}

export function readListenState(staticData: IDataObject): ListenState | undefined {
	return staticData[key] as ListenState | undefined;
}
