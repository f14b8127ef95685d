import type { INodeParameters } from 'n8n-workflow';
import type { FaultKind, SandboxOptions } from '../../sandbox';

/** Something that keeps the trigger from being activated. */
export interface Failure {
	/** What n8n says after "The webhook was not registered: ", as a pattern. */
	words: string;
	sandbox?: SandboxOptions;
	isDown?: boolean;
	/** Fields of the credential, and parameters of the trigger, that are wrong at first. */
	credential?: Record<string, string>;
	parameters?: INodeParameters;
}

function fault(kind: FaultKind): { sandbox: SandboxOptions } {
	return { sandbox: { faults: [{ endpoint: 'register', kind, message: 'Not today' }] } };
}

export const failures: Record<string, Failure> = {
	'no answer': {
		...fault('hang'),
		words: 'The service did not respond in time\\. Try again',
	},
	'code 96': {
		...fault('wrongCode'),
		words: 'The service rejected the request: Not today \\(code "96"\\)\\. Check the merchant ID',
	},
	'HTTP 500': {
		...fault('serverError'),
		words: 'The service could not process the request \\(HTTP 500\\).*again later',
	},
	'HTTP 429': {
		...fault('tooManyRequests'),
		words: 'The service is receiving too many requests.*in a few minutes',
	},
	'a web page': {
		...fault('html'),
		words: "The service returned a web page.* Compare http.* 'Base URL' in",
	},
	nothing: {
		...fault('emptyBody'),
		words: "The service returned an empty response\\. Compare http.* 'Base URL' in",
	},
	'wrong key': {
		credential: { apiKey: 'wrong-key-4711' },
		words: 'The service does not accept the key \\(HTTP 401\\).*Enter the API key',
	},
	'wrong merchant': {
		credential: { merchantId: '17' },
		words: 'The service rejected the request: merchantId is not.*Check the merchant ID',
	},
	'service down': {
		isDown: true,
		words: 'Nothing accepts connections at .*that the service',
	},
	'no proof': {
		parameters: { options: { requiredProof: 'signature in X-Signature' } },
		words: "'Required Proof' is not a proof\\. Copy the text of 'verifiedBy'",
	},
	'no tolerance': {
		parameters: { options: { toleranceSeconds: -1 } },
		words: "'Tolerance \\(Seconds\\)' must be greater than 0",
	},
	'no fallback address': {
		parameters: { options: { fallbackUrl: 'shop.example' } },
		words: "'Fallback URL' must be a complete URL",
	},
};
