import { startTlsFront, type TlsFront } from '../tlsFront';
import { automatic, credentialsFor, useSandbox } from './sandbox';
import { ways } from './ways';

/** A service of one's own often has a certificate that nobody but itself vouches for. */
const sandbox = useSandbox();
let front: TlsFront;

beforeAll(async () => {
	front = await startTlsFront(sandbox.service.baseUrl);
});

afterAll(async () => {
	await front.stop();
});

describe.each(Object.entries(ways))('%s', (name, way) => {
	/** The request that makes the page which an update needs goes to the sandbox directly. */
	const ownRequests = name === 'update' ? 1 : 0;

	test.each([{}, { allowUnauthorizedCerts: false }, { allowUnauthorizedCerts: 'true' }])(
		'sends nothing to a self-signed service with %j, and names the option',
		async (change) => {
			const failure = await way(sandbox, { baseUrl: front.baseUrl, ...change });
			expect(failure).toMatch(/^The certificate of the service could not be verified\. /);
			expect(failure).toContain("turn on 'Ignore SSL Issues (Insecure)' in the credential");
			expect(sandbox.requests).toHaveLength(ownRequests);
		},
	);

	test('reaches it with Ignore SSL Issues', async () => {
		const change = { baseUrl: front.baseUrl, allowUnauthorizedCerts: true };
		expect(await way(sandbox, change)).toBeUndefined();
		expect(sandbox.requests.length).toBeGreaterThan(ownRequests);
	});
});

test('the request option of the node still holds by itself', async () => {
	const { error } = await sandbox.run({
		parameters: {
			...automatic('validateReference'),
			paymentPageLinkReference: 'a',
			requestOptions: { allowUnauthorizedCerts: true },
		},
		credentials: credentialsFor(sandbox.service, { baseUrl: front.baseUrl }),
	});
	expect(error).toBeUndefined();
});
