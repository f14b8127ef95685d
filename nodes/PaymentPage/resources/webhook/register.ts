import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { apiKeyCredential } from '../../../shared/credential';
import { isBlank, toWebAddress, trimmed } from '../../../shared/values';
import { toOutputValues } from '../../../shared/exactJson';
import { InvalidFieldError } from '../../../shared/errors';
import { serviceText } from '../../../shared/service/redact';
import { registeredUrl, registerWebhookPath } from '../../../shared/service/request';
import { updateDisplayOptions } from '../../properties/displayOptions';
import { optionsProperty } from '../../properties/options';
import { declaredRequest, type Operation } from '../../run/operation';
import { routingOf } from '../../run/runItem';
import { sendWithRetries } from '../../run/sendWithRetries';

interface Input {
	webhookUrl: string;
	/** '' to take the credential's. */
	secret: string;
}

/** Register webhook URL (docs/interface.md, "Register webhook URL"). The secret is never in the output. */
export const register: Operation<Input> = {
	credential: apiKeyCredential,

	rerunAdvice: 'It sends every item again, including those that are done.',

	read(context) {
		const webhookUrl = toWebAddress('Webhook URL', context.getNodeParameter('webhookUrl', ''));
		const secret = context.getNodeParameter('secret', '');
		if (!isBlank(secret) && typeof secret !== 'string') {
			throw new InvalidFieldError(
				'Secret',
				'must be text',
				'Map a single text value to this field.',
			);
		}
		// Of any length: it may be for a receiver that is none of n8n's, and has its own rules.
		return { webhookUrl, secret: typeof secret === 'string' ? trimmed(secret) : '' };
	},

	// The merchant has one address: the last item is to win.
	exclusiveKey: () => '',

	async perform(context, { webhookUrl, secret }) {
		const { merchantId, webhookSecret } = context.credential;
		const usedSecret = secret === '' ? webhookSecret : secret;
		if (usedSecret === '') {
			throw new InvalidFieldError(
				'Secret',
				'is empty, and the credential has no webhook secret either',
				"Enter 'Webhook Secret' in the credential, so that it is not stored in the workflow.",
			);
		}
		const body = { webhookUrl, merchantId, secret: usedSecret };
		const envelope = await sendWithRetries(context, declaredRequest(context, body), true);
		return {
			output: {
				registered: true,
				webhookUrl: registeredUrl(envelope) ?? webhookUrl,
				...toOutputValues({ merchantId }),
				responseMessage: serviceText(envelope.responseMessage),
			},
			envelope,
		};
	},
};

export const registerOption: INodePropertyOptions = {
	name: 'Register',
	value: 'register',
	action: 'Register webhook',
	description: "Set the URL that receives the merchant's events",
	routing: {
		request: { method: 'POST', url: registerWebhookPath },
		...routingOf(register),
	},
};

const forRegister = { show: { resource: ['webhook'], operation: ['register'] } };

export const registerProperties: INodeProperties[] = updateDisplayOptions(forRegister, [
	{
		displayName:
			'A merchant has one webhook URL, and registering replaces the current one. To start workflows on payments, use the Payment Page Trigger node, which registers itself.',
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
	{
		displayName: 'Secret',
		name: 'secret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			"Secret that secures the events. If it is empty, 'Webhook Secret' of the credential is used. A secret entered here is stored in the workflow and exported with it.",
	},
	optionsProperty(),
]);
