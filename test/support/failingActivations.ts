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

const fault = (kind: FaultKind, words: string): Failure => {
	const sandbox = { faults: [{ endpoint: 'register' as const, kind, message: 'Not today' }] };
	return { sandbox, words };
};
const key = (credential: Record<string, string>, words: string) => ({ credential, words });
const option = (options: INodeParameters, words: string) => ({ parameters: { options }, words });

const compare = "Compare http.* 'Base URL' in";
const rejected =
	'The service rejected the request: Not today \\(code "96"\\)\\. Check the merchant ID';
const noProcess = 'The service could not process .*\\(HTTP 500\\).*again later, or contact';
const noNumber = "'Tolerance \\(Seconds\\)' must be greater than 0";
const noProof = "'Required Proof' is not a proof\\. Copy the text of 'verifiedBy'";

export const failures: Record<string, Failure> = {
	'no answer': fault('hang', 'The service did not respond in time\\. Try again'),
	'code 96': fault('wrongCode', rejected),
	'HTTP 500': fault('serverError', noProcess),
	'HTTP 429': fault('tooManyRequests', 'The service is receiving too many.*in a few minutes'),
	'a web page': fault('html', `The service returned a web page.* ${compare}`),
	nothing: fault('emptyBody', `The service returned an empty response\\. ${compare}`),
	'wrong key': key({ apiKey: 'wrong-key-4711' }, 'The service does not accept .*Enter the API key'),
	'wrong merchant': key({ merchantId: '17' }, 'The .*: merchantId is not.*Check the merchant ID'),
	'service down': { isDown: true, words: 'Nothing accepts connections at .*that the service' },
	'no proof': option({ requiredProof: 'signature in X' }, noProof),
	'no tolerance': option({ toleranceSeconds: 0 }, noNumber),
	'no fallback address': option({ fallbackUrl: 'a' }, "'Fallback URL' must be a complete URL"),
};
