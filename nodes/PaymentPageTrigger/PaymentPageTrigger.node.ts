import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { apiKeyCredential } from '../shared/credential';
import { testApiKey } from '../shared/credentialTests';
import { isRegistered, register, unregister } from './activation';
import { received } from './n8n';
import { triggerProperties } from './properties';
import { receive } from './webhook/receive';

const answersAtOnce = {
	path: 'webhook',
	responseMode: 'onReceived',
	responseData: JSON.stringify(received),
} as const;

/** Starts a workflow when the service sends an event, and registers its own address there. */
export class PaymentPageTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payment Page Trigger',
		name: 'paymentPageTrigger',
		icon: {
			light: 'file:../../icons/paymentPage.svg',
			dark: 'file:../../icons/paymentPage.dark.svg',
		},
		group: ['trigger'],
		// For version 1, n8n evaluates an expression for each event (fact 43).
		version: 2,
		subtitle: 'Payment events',
		description: 'Starts the workflow when the service sends an event, such as a payment',
		eventTriggerDescription: 'Waiting for an event from the service. Pay a page in test mode.',
		defaults: { name: 'Payment Page Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		triggerPanel: {
			header: 'Receive events from the service',
			executionsHelp: {
				inactive:
					'<b>1.</b> Publish the workflow; the trigger alone is enough.<br /><br /><b>2.</b> Test it: select the button above, then pay a page in test mode. Or copy an execution from the <a data-key="executions">executions list</a>.',
				active:
					'<b>To try it out</b>, select the button above, then pay a page in test mode: the published workflow runs, and the test gets a copy. Or copy an execution from the <a data-key="executions">executions list</a>.',
			},
			activationHint:
				'Publish the workflow. It then runs on every event from the service that can be verified.',
		},
		credentials: [{ name: apiKeyCredential, required: true, testedBy: 'testApiKey' }],
		webhooks: [
			// In this order, a service that looks at the address while registering it finds it (fact 29).
			// The first is not for the panel, and nothing is registered for it (fact 30).
			{ name: 'setup', httpMethod: 'GET,HEAD', ndvHideUrl: true, ...answersAtOnce },
			{ name: 'default', httpMethod: 'POST', ...answersAtOnce },
		],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testApiKey } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await isRegistered(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await register(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await unregister(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
