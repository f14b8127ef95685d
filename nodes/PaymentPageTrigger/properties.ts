import type { INodeProperties } from 'n8n-workflow';

const forSignature = { show: { verification: ['signature'] } };

const forTimestamp = {
	show: { verification: ['signature'], signedContent: ['timestampDotBody'] },
};

export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'A merchant has one webhook URL. Publishing this workflow, or testing it while it is not published, replaces the current one. For several workflows, use one trigger and call sub-workflows.',
		name: 'oneAddressNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Verification',
		name: 'verification',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description:
					'Accept any proof that the sender knows the secret: a signature, the secret in a header, or the token in the webhook URL. After the first signed event, only signed events are accepted.',
			},
			{
				name: 'Signature',
				value: 'signature',
				description:
					'Accept only the signature described below. This is the strictest choice, and the webhook URL then has no token.',
			},
		],
		default: 'automatic',
		description:
			"How an event proves that it comes from the service. For the strictest check, listen for a test event with 'Automatic', then select 'Signature' and enter what 'verifiedBy' in the output shows.",
	},
	{
		displayName: 'Signature Header',
		name: 'signatureHeader',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. X-Signature',
		displayOptions: forSignature,
		description: 'Header that holds the signature',
	},
	{
		displayName: 'Signature Algorithm',
		name: 'signatureAlgorithm',
		type: 'options',
		options: [
			{ name: 'HMAC-SHA1', value: 'sha1' },
			{ name: 'HMAC-SHA256', value: 'sha256' },
			{ name: 'HMAC-SHA512', value: 'sha512' },
		],
		default: 'sha256',
		displayOptions: forSignature,
	},
	{
		displayName: 'Signature Encoding',
		name: 'signatureEncoding',
		type: 'options',
		options: [
			{ name: 'Base64', value: 'base64' },
			{ name: 'Hex', value: 'hex' },
		],
		default: 'hex',
		displayOptions: forSignature,
	},
	{
		displayName: 'Signed Content',
		name: 'signedContent',
		type: 'options',
		options: [
			{ name: 'Body', value: 'body' },
			{ name: 'Timestamp, Dot, Body', value: 'timestampDotBody' },
		],
		default: 'body',
		displayOptions: forSignature,
		description: 'What is signed',
	},
	{
		displayName: 'Timestamp Header',
		name: 'timestampHeader',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. X-Timestamp',
		displayOptions: forTimestamp,
		description: 'Header that holds the time of signing, in seconds or milliseconds since 1970',
	},
	{
		displayName: 'Tolerance (Seconds)',
		name: 'toleranceSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 300,
		displayOptions: forTimestamp,
		description:
			"How many seconds the timestamp may differ from n8n's clock. Older events are rejected.",
	},
	{
		displayName: 'Unverified Events',
		name: 'unverifiedEvents',
		type: 'options',
		options: [
			{
				name: 'Accept',
				value: 'accept',
				description:
					"Start the workflow with 'verified' set to false. Anybody can send such an event.",
			},
			{
				name: 'Reject',
				value: 'reject',
				description: 'Send a 401 response and start no workflow',
			},
		],
		default: 'reject',
		description: 'What to do with an event without a valid proof. A test event is always shown.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Fallback URL',
				name: 'fallbackUrl',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://www.shop.example/payment-events',
				description:
					"URL to register when this workflow is unpublished. Without it, the service keeps sending events to this workflow. It is registered with 'Webhook Secret' of the credential. Enter one there, so that the receiver can verify events.",
			},
			{
				displayName: 'Ignore Repeated Deliveries',
				name: 'ignoreRepeatedDeliveries',
				type: 'boolean',
				default: false,
				description:
					'Whether to ignore an event identical to one already received, among the last 1,000 within 24 hours. It adds up to 30 KB to the record of each execution.',
			},
		],
	},
];
