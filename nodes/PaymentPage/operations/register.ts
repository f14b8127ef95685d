import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { apiKeyCredential } from '../../shared/credential';
import { InvalidFieldError, serviceText } from '../../shared/errors';
import { toOutputValues } from '../../shared/exactJson';
import { registeredUrl, registerWebhookPath } from '../../shared/service/request';
import { toWebAddress } from '../../shared/values';
import { judgeEach } from '../fields/checks';
import { declaredRequest, routingOf, type Operation } from '../run/runItem';
import { sendWithRetries } from '../run/send';

/** Register webhook URL (docs/interface.md, "Register webhook URL"). The secret is never in the output. */
const register: Operation<unknown, string> = {
	credential: apiKeyCredential,

	rerunAdvice: () => 'A new run sends all rows again.',

	read: (context) => context.getNodeParameter('webhookUrl', ''),

	judge: (readings) => judgeEach(readings, (url) => toWebAddress("'Webhook URL'", url)),

	// The merchant has one address: the last item is to win.
	exclusiveKey: () => 'register',

	async perform(context, webhookUrl) {
		const { merchantId, webhookSecret } = context.credential;
		// One that was derived from the API key, nobody else could know.
		if (webhookSecret === '') {
			throw new InvalidFieldError(
				"'Webhook Secret'",
				'is empty in the credential',
				'Enter it there: the receiver of the events needs it, too.',
			);
		}
		const request = declaredRequest(context, { webhookUrl, merchantId, secret: webhookSecret });
		const envelope = await sendWithRetries(context, request, { isRepeatable: true });
		return {
			registered: true,
			webhookUrl: registeredUrl(envelope) ?? webhookUrl,
			...toOutputValues({ merchantId }),
			responseMessage: serviceText(envelope.responseMessage),
		};
	},
};

export const registerOption: INodePropertyOptions = {
	name: 'Register',
	value: 'register',
	action: 'Register webhook',
	description: "Set the webhook URL that receives the merchant's events",
	routing: {
		request: { method: 'POST', url: registerWebhookPath },
		...routingOf(register),
	},
};

export const registerForms: INodeProperties[] = [
	{
		displayName:
			"This replaces the merchant's webhook URL. A workflow with the Payment Page Trigger sets it by itself.",
		name: 'oneAddressNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Webhook URL',
		name: 'webhookUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://www.shop.example/payment-events',
		description: "URL that receives the merchant's events",
	},
];
