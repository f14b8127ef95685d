import type { INodeProperties } from 'n8n-workflow';

import { defaultTolerance } from './settings';

/** None takes an expression (fact 35), since what they say holds for all events alike. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'A merchant has one webhook URL, and publishing this workflow replaces it. For several workflows, use one trigger and call sub-workflows.',
		name: 'oneAddressNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Accept Unverified Events (Insecure)',
				name: 'acceptUnverified',
				type: 'boolean',
				default: false,
				noDataExpression: true,
				description:
					"Whether to start the workflow for any event, with 'verified' set to false. Anybody can send such an event.",
			},
			{
				displayName: 'Fallback URL',
				name: 'fallbackUrl',
				type: 'string',
				default: '',
				noDataExpression: true,
				placeholder: 'e.g. https://www.shop.example/payment-events',
				description:
					"URL to register, with the same webhook secret, when this workflow is unpublished. Without it, the service keeps sending events to this workflow's URL.",
			},
			{
				displayName: 'Required Proof',
				name: 'requiredProof',
				type: 'string',
				default: '',
				noDataExpression: true,
				placeholder: 'e.g. signature header:x-signature sha256 hex body',
				description:
					"The only proof that counts, as 'verifiedBy' in an output names it. Without it, any proof counts that is as strong as those of earlier events.",
			},
			{
				displayName: 'Tolerance (Seconds)',
				name: 'toleranceSeconds',
				type: 'number',
				default: defaultTolerance,
				noDataExpression: true,
				typeOptions: { minValue: 1 },
				description:
					"How far the time in the required proof may be from n8n's clock. A small value rejects events that the service sends again after an outage.",
			},
		],
	},
];
