import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { sandboxCredentials } from '../../../scripts/localN8n/credentials';
import type { StoredCredential } from '../../../scripts/localN8n/types';
import type { Bed } from './testBed';

/** Services beside the bed's, for tests that switch one off or spoil it; all end with the file. */
export function useOtherServices(bed: () => Bed) {
	const sandboxes: Sandbox[] = [];
	afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.stop())));
	return {
		async sandbox(options?: SandboxOptions): Promise<Sandbox> {
			const sandbox = await startSandbox(options);
			sandboxes.push(sandbox);
			return sandbox;
		},

		/** Stores the API key of a service in n8n under a name, with some fields changed. */
		async saveApiKey(
			{ sandbox, name }: { sandbox: Sandbox; name: string },
			change: Record<string, string> = {},
		): Promise<StoredCredential> {
			const right = sandboxCredentials(sandbox).find(
				({ type }) => type === 'paymentPagesApiKeyApi',
			);
			if (!right) throw new Error('There is no API key.');
			const data = { ...right.data, ...change };
			return bed().client.saveCredential({ ...right, name, data });
		},
	};
}

export type OtherServices = ReturnType<typeof useOtherServices>;

/** The part of a node that makes it use a credential. */
export function withCredential({ type, id, name }: StoredCredential) {
	return { credentials: { [type]: { id, name } } };
}
