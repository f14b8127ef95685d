import { trimmed } from '../../shared/values';
import { InvalidFieldError } from '../../shared/errors';

export type Algorithm = 'sha256' | 'sha512' | 'sha1';

export type Encoding = 'hex' | 'base64';

export type SignedContent = 'body' | 'timestampDotBody';

/** How the service signs, as the user pinned it. */
export interface SignatureSettings {
	/** Lower case. */
	signatureHeader: string;
	algorithm: Algorithm;
	encoding: Encoding;
	signedContent: SignedContent;
	/** Lower case; '' unless the signed content holds a timestamp. */
	timestampHeader: string;
	/** How far the timestamp may be from now, before or after. */
	toleranceSeconds: number;
}

/** How an event is verified: by any valid proof, or only by the pinned signature. */
export type VerificationSettings =
	| { mode: 'automatic' }
	| { mode: 'signature'; signature: SignatureSettings };

/** RFC 9110, 5.6.2: what a header name consists of. */
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

function toHeaderName(field: string, value: string): string {
	const name = trimmed(value).toLowerCase();
	if (headerName.test(name)) return name;
	throw new InvalidFieldError(
		field,
		name === '' ? 'is empty' : 'is not a valid header name',
		"Listen for a test event with 'Verification' set to 'Automatic'. In its output, 'verifiedBy' names the header.",
	);
}

function oneOf<Value extends string>(field: string, value: string, allowed: readonly Value[]) {
	const found = allowed.find((candidate) => candidate === value);
	if (found !== undefined) return found;
	throw new InvalidFieldError(field, 'has an unknown value', 'Select a value from the list.');
}

/** Reads one parameter of the node by name. */
export type ReadParameter = (name: string) => unknown;

/**
 * Reads how events are verified.
 *
 * @throws InvalidFieldError when a pinned signature is described incompletely
 */
export function readVerificationSettings(read: ReadParameter): VerificationSettings {
	const text = (name: string) => {
		const value = read(name);
		return typeof value === 'string' ? value : '';
	};
	if (text('verification') !== 'signature') return { mode: 'automatic' };
	const signedContent = oneOf('Signed Content', text('signedContent'), [
		'body',
		'timestampDotBody',
	]);
	const hasTimestamp = signedContent === 'timestampDotBody';
	const toleranceSeconds = Number(read('toleranceSeconds'));
	if (hasTimestamp && !(toleranceSeconds > 0)) {
		throw new InvalidFieldError(
			'Tolerance (Seconds)',
			'must be a number greater than 0',
			'300 is a good value: it allows for clocks that differ by five minutes.',
		);
	}
	return {
		mode: 'signature',
		signature: {
			signatureHeader: toHeaderName('Signature Header', text('signatureHeader')),
			algorithm: oneOf('Signature Algorithm', text('signatureAlgorithm'), [
				'sha256',
				'sha512',
				'sha1',
			]),
			encoding: oneOf('Signature Encoding', text('signatureEncoding'), ['hex', 'base64']),
			signedContent,
			timestampHeader: hasTimestamp
				? toHeaderName('Timestamp Header', text('timestampHeader'))
				: '',
			toleranceSeconds,
		},
	};
}
