import { generate } from 'selfsigned';

/** A key and a certificate that nobody but itself vouches for, as many a service of one's own has. */
export async function selfSignedCertificate(name: string): Promise<{ key: string; cert: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
		],
	});
	return { key, cert };
}
