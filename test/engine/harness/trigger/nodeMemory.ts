import * as n8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';

import type { Clock } from './clock';
import type * as TriggerModule from '../../../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';

/**
 * Loads the trigger as a new process of n8n does: what its modules keep in memory is empty, and
 * nobody else's. Only n8n-workflow stays the one of the contexts, so that their errors and
 * expressions are the same classes; its `sleep` goes by the clock.
 */
export function loadTrigger({ sleep }: Clock): INodeType {
	let loaded: INodeType | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => ({ ...n8nWorkflow, __esModule: true, sleep }));
		const { PaymentPageTrigger } = jest.requireActual<typeof TriggerModule>(
			'../../../../nodes/PaymentPageTrigger/PaymentPageTrigger.node',
		);
		loaded = new PaymentPageTrigger();
	});
	jest.dontMock('n8n-workflow');
	if (loaded === undefined) throw new Error('The trigger was not loaded');
	return loaded;
}
