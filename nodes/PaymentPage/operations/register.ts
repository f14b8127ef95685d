import type { INodeProperties } from 'n8n-workflow';

import { apiKeyCredential } from '../../shared/credential';
import { InvalidFieldError, serviceText } from '../../shared/errors';
import { toOutputValues } from '../../shared/exactJson';
import { registeredUrl } from '../../shared/service/request';
import { toWebAddress } from '../../shared/values';
import { judgeEach } from '../fields/checks';
import { declaredRequest, type Operation } from '../run/runItem';
import { sendWithRetries } from '../run/send';

/** Register webhook URL (docs/interface.md, "Register webhook URL"). The secret is never in the output. */
export const register: Operation<unknown, string> = {
	credential: apiKeyCredential,

	read: (context) => context.getNodeParameter('webhookUrl', ''),

	judge: (readings) => judgeEach(readings, (url) => toWebAddress("'Webhook URL'", url)),

	// The merchant has one address: the last item is to win.
	exclusiveKey: () => '',

	async perform(context, webhookUrl) {
		const { merchantId, webhookSecret: secret } = context.credential;
		// One that was derived from the API key, nobody else could know.
		if (secret === '') {
			const advice = 'Enter it there: the receiver of the events needs it, too.';
			throw new InvalidFieldError("'Webhook Secret'", 'is empty in the credential', advice);
		}
		const request = declaredRequest(context, { webhookUrl, merchantId, secret });
		const envelope = await sendWithRetries(context, request, { isRepeatable: true });
		return {
			registered: true,
			webhookUrl: registeredUrl(envelope) ?? webhookUrl,
			...toOutputValues({ merchantId }),
			responseMessage: serviceText(envelope.responseMessage),
		};
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
