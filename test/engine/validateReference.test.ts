import { useSandbox } from './sandbox';

const sandbox = useSandbox();

const prefix = '/api/PaymentPages/ValidatePaymentPageLinkRefernce/';
const parameters = {
	operation: 'validateReference',
	paymentPageLinkReference: '={{ $json.reference }}',
};

test('says that a page exists, in clear words', async () => {
	await sandbox.run({ parameters: { pageName: 'A', paymentPageLinkReference: 'taken' } });
	const { output } = await sandbox.run({ rows: [{ reference: 'taken' }], parameters });
	expect(output).toEqual([
		{
			json: {
				paymentPageLinkReference: 'taken',
				exists: true,
				available: false,
				isValid: true,
			},
			pairedItem: { item: 0 },
		},
	]);
});

test('says that a reference is available', async () => {
	const { output } = await sandbox.run({ rows: [{ reference: 'free' }], parameters });
	expect(output[0]?.json).toEqual({
		paymentPageLinkReference: 'free',
		exists: false,
		available: true,
		isValid: false,
	});
	expect(sandbox.requests).toHaveLength(1);
	const [request] = sandbox.requests;
	expect(request?.method).toBe('GET');
	expect(request?.url).toBe(`${prefix}free`);
	expect(request?.keyUsed).toBe('privateKey');
	expect(request?.body).toHaveLength(0);
	expect(request?.headers).not.toHaveProperty('content-type');
});

test.each([
	['a/b', 'a%2Fb'],
	['a%2Fb', 'a%252Fb'],
	['../../WebhookRegistration', '..%2F..%2FWebhookRegistration'],
	['..%2f', '..%252f'],
	['a?b#c', 'a%3Fb%23c'],
	['50 % off', '50%20%25%20off'],
	['ключ 🔑', '%D0%BA%D0%BB%D1%8E%D1%87%20%F0%9F%94%91'],
	['a\\b', 'a%5Cb'],
	['...', '...'],
	['a;b=c,d', 'a%3Bb%3Dc%2Cd'],
	["it's (1)!*~", "it's%20(1)!*~"],
])('sends the reference %j as one segment', async (reference, segment) => {
	const { output } = await sandbox.run({ rows: [{ reference }], parameters });
	expect(sandbox.requests[0]?.url).toBe(`${prefix}${segment}`);
	expect(output[0]?.json.paymentPageLinkReference).toBe(reference);
});

test('meets the page that create made with a strange reference', async () => {
	const reference = 'Ünïcode/ %2e "quote" 🔑';
	await sandbox.run({ parameters: { pageName: 'A', paymentPageLinkReference: reference } });
	const { output } = await sandbox.run({ rows: [{ reference }], parameters });
	expect(output[0]?.json.exists).toBe(true);
});
