import type { Sandbox } from '../../../sandbox';
import { type OtherServices, withCredential } from './otherServices';
import type { TestBed } from './testBed';
import { addPage, registeredUrls, TriggerWorkflow } from './triggerWorkflow';

export interface OwnerAndDraft {
	sandbox: Sandbox;
	/** The published workflow, which has the merchant's address. */
	owner: TriggerWorkflow;
	/** Its address. */
	url: string;
	/** Another workflow, which is not published. */
	draft: TriggerWorkflow;
}

/** A merchant of its own with two workflows. */
export async function ownerAndDraft(
	bed: TestBed,
	another: OtherServices,
	name: string,
): Promise<OwnerAndDraft> {
	const sandbox = await another.sandbox();
	await addPage(sandbox, 'page');
	const credential = withCredential(await another.saveApiKey({ sandbox, name }));
	const owner = await TriggerWorkflow.published(bed, {}, credential);
	const draft = await TriggerWorkflow.save(bed, {}, credential);
	const [url = ''] = registeredUrls(sandbox);
	return { sandbox, owner, url, draft };
}
