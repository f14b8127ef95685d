import { readVerificationSettings } from '../../../nodes/PaymentPageTrigger/verification/settings';
import { InvalidFieldError } from '../../../nodes/shared/errors';

const complete: Record<string, unknown> = {
	verification: 'signature',
	signatureHeader: ' X-Signature ',
	signatureAlgorithm: 'sha512',
	signatureEncoding: 'base64',
	signedContent: 'timestampDotBody',
	timestampHeader: 'X-Timestamp',
	toleranceSeconds: 60,
};

function read(change: Record<string, unknown> = {}) {
	const parameters = { ...complete, ...change };
	return readVerificationSettings((name) => parameters[name]);
}

test('reads a complete signature, header names in lower case', () => {
	expect(read()).toEqual({
		mode: 'signature',
		signature: {
			signatureHeader: 'x-signature',
			algorithm: 'sha512',
			encoding: 'base64',
			signedContent: 'timestampDotBody',
			timestampHeader: 'x-timestamp',
			toleranceSeconds: 60,
		},
	});
});

test.each([{ verification: 'automatic' }, { verification: undefined }, { verification: '' }])(
	'is automatic with %j, whatever the other parameters hold',
	(change) => {
		expect(read({ ...change, signatureHeader: '', toleranceSeconds: 0 })).toEqual({
			mode: 'automatic',
		});
	},
);

test('asks for no timestamp when the body alone is signed', () => {
	const change = { signedContent: 'body', timestampHeader: '', toleranceSeconds: 0 };
	expect(read(change)).toMatchObject({
		signature: { signedContent: 'body', timestampHeader: '' },
	});
});

test.each([
	[{ signatureHeader: '' }, 'Signature Header is empty'],
	[{ signatureHeader: '  ' }, 'Signature Header is empty'],
	[{ signatureHeader: undefined }, 'Signature Header is empty'],
	[{ signatureHeader: 'X-Signature:' }, 'Signature Header is not a valid header name'],
	[{ signatureHeader: 'x signature' }, 'Signature Header is not a valid header name'],
	[{ signatureHeader: 'x-sïgnature' }, 'Signature Header is not a valid header name'],
	[{ timestampHeader: '' }, 'Timestamp Header is empty'],
	[{ toleranceSeconds: 0 }, 'Tolerance (Seconds) must be a number greater than 0'],
	[{ toleranceSeconds: -1 }, 'Tolerance (Seconds) must be a number greater than 0'],
	[{ toleranceSeconds: 'abc' }, 'Tolerance (Seconds) must be a number greater than 0'],
	[{ toleranceSeconds: undefined }, 'Tolerance (Seconds) must be a number greater than 0'],
	[{ signatureAlgorithm: 'md5' }, 'Signature Algorithm has an unknown value'],
	[{ signatureAlgorithm: '' }, 'Signature Algorithm has an unknown value'],
	[{ signatureEncoding: 'base32' }, 'Signature Encoding has an unknown value'],
	[{ signedContent: 'url' }, 'Signed Content has an unknown value'],
	[{ signedContent: 'constructor' }, 'Signed Content has an unknown value'],
])('refuses %j and names the field', (change, message) => {
	expect(() => read(change)).toThrow(InvalidFieldError);
	expect(() => read(change)).toThrow(message);
});
