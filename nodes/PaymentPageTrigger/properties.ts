import type { INodeProperties } from 'n8n-workflow';

const forSignature = { show: { verification: ['signature'] } };

const forTimestamp = {
	show: { verification: ['signature'], signedContent: ['timestampDotBody'] },
};

export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'The service keeps one webhook address per merchant: publishing this workflow, or testing it while it is not published, replaces the one before. For several workflows, use one trigger and hand events on to sub-workflows.',
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
					'Accept any proof that the sender knows the secret: a signature, the secret in a header, or the token in the webhook URL. Once an event was signed, only signed events are accepted.',
			},
			{
				name: 'Signature',
				value: 'signature',
				description:
					'Accept only the signature described below. The strictest choice; the webhook URL then needs no token.',
			},
		],
		default: 'automatic',
		description:
			'How an event proves that it comes from the service. How the service signs is not documented: listen for one test event with Automatic, read verifiedBy in its output, and describe it here with Signature.',
	},
	{
		displayName: 'Signature Header',
		name: 'signatureHeader',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'X-Signature',
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
		description: 'What the signature is made over',
	},
	{
		displayName: 'Timestamp Header',
		name: 'timestampHeader',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'X-Timestamp',
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
			'How far the timestamp may be from the clock of n8n, before or after; an older event is a repetition and is rejected',
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
					'Start the workflow with verified set to false; anybody can send such an event',
			},
			{
				name: 'Reject',
				value: 'reject',
				description: 'Answer 401 and start nothing',
			},
		],
		default: 'reject',
		description:
			'What to do with an event without a valid proof. While listening for a test event it is always shown.',
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
				placeholder: 'https://www.shop.example/payment-events',
				description:
					'Address to register when this workflow is unpublished. The service cannot unregister: without one, it keeps sending events to this workflow. It is registered with the secret of the credential: set a webhook secret there, so that the receiver can verify events with it.',
			},
			{
				displayName: 'Ignore Repeated Deliveries',
				name: 'ignoreRepeatedDeliveries',
				type: 'boolean',
				default: false,
				description:
					'Whether to start nothing for an event whose bytes are the same as those of one within the last 24 hours (of the last 1,000). Two payments whose events have equal bytes count as one. With several n8n processes (queue mode), two equal deliveries at the same moment can both start the workflow. The memory adds up to 30 KB to the record of each execution.',
			},
		],
	},
];
