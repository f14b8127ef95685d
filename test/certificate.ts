import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A key and a certificate that nobody but itself vouches for, as many a service of one's own has. */
export function selfSignedCertificate(name: string): { key: Buffer; cert: Buffer } {
	const folder = mkdtempSync(path.join(tmpdir(), 'payment-pages-tls-'));
	const key = path.join(folder, 'key.pem');
	const cert = path.join(folder, 'cert.pem');
	const request = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=${name} -keyout ${key} -out ${cert}`;
	execFileSync('openssl', request.split(' '), { stdio: 'pipe' });
	const options = { key: readFileSync(key), cert: readFileSync(cert) };
	rmSync(folder, { recursive: true });
	return options;
}
