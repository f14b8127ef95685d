import type { IDataObject } from 'n8n-workflow';

import { automatic, credentialsFor, register, useSandbox, type CredentialChange } from './sandbox';

/**
 * Values that people really have in their tables: each is either sent right, byte for byte, or
 * refused by its name before anything at all is sent.
 */
const sandbox = useSandbox();

const longText = 'Ä"\\/🔑'.repeat(1000);

describe('text', () => {
	test.each([
		'It\'s "quoted" \\ and / slashed',
		'..',
		'a.b.c',
		'100 % %41 %00',
		'🧾 Rechnung 👨‍👩‍👧',
		'line\r\nbreak\ttab\u0000null\u2028',
		'<script>alert(1)</script>',
		'{{ $json.x }}',
		'=1+1',
		'half \ud83d of an emoji',
		'12345678901234567890',
		longText,
	])('is sent byte for byte as page name: %j', async (pageName) => {
		const rows = [{ pageName, description: pageName, paymentPageLinkReference: 'r' }];
		const { output } = await sandbox.run({ rows, parameters: automatic('create') });
		const body = sandbox.requests[0]?.body.toString();
		expect(body).toContain(`"pageName":${JSON.stringify(pageName)},`);
		expect(body).toContain(`"description":${JSON.stringify(pageName)}}`);
		expect(output[0]?.json.pageName).toBe(pageName);
	});

	test.each(['a/b', '%2f', '50 %', '🔑', 'a"b\\c', 'in  between', 'x'.repeat(5000)])(
		'is sent byte for byte as reference: %j',
		async (paymentPageLinkReference) => {
			const rows = [{ paymentPageLinkReference }];
			const parameters = automatic('create', { ifReferenceExists: 'error' });
			const { output } = await sandbox.run({ rows, parameters });
			const [asked, created] = sandbox.requests;
			expect(asked?.url.split('/').at(-1)).toBe(encodeURIComponent(paymentPageLinkReference));
			expect(created?.body.toString()).toContain(JSON.stringify(paymentPageLinkReference));
			expect(output[0]?.json).toMatchObject({ paymentPageLinkReference });
		},
	);

	test('becomes a reference of its own for every name that has no Latin letter', async () => {
		const rows = ['🧾', '🧾🧾', 'שלום', '///', '%'].map((pageName) => ({ pageName }));
		await sandbox.run({ rows, parameters: automatic('create') });
		const references = [...sandbox.service.state.pages.values()].map(
			(page) => page.paymentPageLinkReference,
		);
		expect(new Set(references).size).toBe(rows.length);
		for (const reference of references) expect(reference).toMatch(/^[a-z0-9-]+$/);
	});
});

/** A refusal begins with the label of the field and its name, or with the label alone. */
function named(field: string): RegExp {
	return new RegExp(`^('?${field}'?|'[A-Z][A-Za-z ]+' \\(${field}\\)) `);
}

describe('a value that cannot be right', () => {
	const good = { pageName: 'Good', amount: 1 };

	test.each<[string, IDataObject]>([
		['amount', { amount: '1,000' }],
		['amount', { amount: '1.000' }],
		['amount', { amount: ' 12.500 ' }],
		['amount', { amount: 'abc' }],
		['amount', { amount: 1e21 }],
		['amount', { amount: '1e21' }],
		['amount', { amount: -1 }],
		['amount', { amount: '-1' }],
		['amount', { amount: '10 EUR' }],
		['amount', { amount: true }],
		['amount', { amount: false }],
		['amount', { amount: [10, 20] }],
		['amount', { amount: '0012' }],
		['amount', { amount: '49.' }],
		['amount', { amount: '#N/A' }],
		['description', { description: '#REF!' }],
		['description', { description: true }],
		['amount', { amount: NaN }],
		['amount', { amount: Infinity }],
		['amount', { amount: 9007199254740993 }],
		['isFixedAmount', { isFixedAmount: 2 }],
		['isTestMode', { isTestMode: {} }],
		['callBackUrl', { callBackUrl: 'www.shop.example/paid' }],
		['callBackUrl', { callBackUrl: 'https://' }],
		['callBackUrl', { callBackUrl: 'https://a b.example' }],
		['callBackUrl', { callBackUrl: 'ftp://shop.example' }],
		['callBackUrl', { callBackUrl: 17 }],
		['pageName', { pageName: { first: 'A' } }],
		['pageName', { pageName: 12345678901234567890 }],
		['pageName', { pageName: NaN }],
		['description', { description: ['a', 'b'] }],
		['Reference', { paymentPageLinkReference: '.' }],
		['Reference', { paymentPageLinkReference: '..' }],
		['Reference', { paymentPageLinkReference: '%2E%2e' }],
		['Reference', { paymentPageLinkReference: '%252e.' }],
		['Reference', { paymentPageLinkReference: '\uff0e\uff0e' }],
		['Reference', { paymentPageLinkReference: 'half \ud83d' }],
		['The row', { pageName: ' ', amount: '' }],
	])('is refused as %s before anything is sent: %j', async (field, bad) => {
		const rows = Array.from({ length: 8 }, (_row, index) => ({
			...good,
			pageName: `Good ${index}`,
			...(index === 2 ? bad : {}),
		}));
		const { run, error, output } = await sandbox.run({ rows, parameters: automatic('create') });
		expect(run.status).toBe('error');
		expect(error?.message).toMatch(named(field));
		expect(error).toMatchObject({ context: { itemIndex: 2 } });
		expect(output).toEqual([]);
		expect(sandbox.requests).toEqual([]);
	});

	test('lets all other items go on with the error output', async () => {
		const rows = [{ pageName: 'A', amount: 'abc' }, good, { pageName: 'B', isTestMode: 'maybe' }];
		const { output, errorOutput } = await sandbox.run({
			rows,
			parameters: automatic('create'),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(sandbox.requests).toHaveLength(1);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(errorOutput.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	});
});

describe('the credential', () => {
	const parameters = { pageName: 'A' };

	test.each([
		['http://127.0.0.1:PORT/api', ''],
		['  http://127.0.0.1:PORT/api/\n', ''],
		['http://127.0.0.1:PORT/api///', ''],
		['HTTP://127.0.0.1:PORT/api', ''],
	])('accepts the base URL %j', async (pasted) => {
		const baseUrl = pasted.replace('PORT', new URL(sandbox.service.url).port);
		const credentials = credentialsFor(sandbox.service, { baseUrl });
		const { output } = await sandbox.run({ parameters, credentials });
		expect(output).toHaveLength(1);
		expect(sandbox.requests[0]?.url).toBe('/api/PaymentPages/Add');
	});

	test.each<[string, CredentialChange]>([
		['Base URL', { baseUrl: '' }],
		['Base URL', { baseUrl: '127.0.0.1/api' }],
		['Base URL', { baseUrl: 'ftp://127.0.0.1/api' }],
		['Base URL', { baseUrl: 'https://' }],
		['Base URL', { baseUrl: 'http://127.0.0.1/a b' }],
		['Base URL', { baseUrl: 'http://user:pw@127.0.0.1/api' }],
		['Base URL', { baseUrl: 'http://127.0.0.1/api?key=1' }],
		['Base URL', { baseUrl: 'http://127.0.0.1/api#top' }],
		['Private Key', { privateKey: '' }],
		['Private Key', { privateKey: 'first\nsecond' }],
		['Private Key', { privateKey: 'first second' }],
		['Private Key', { privateKey: 'first\r\nX-Evil: 1' }],
		['Private Key', { privateKey: '“curly”' }],
		['Merchant ID', { merchantId: '' }],
		['Merchant ID', { merchantId: '12a' }],
		['Merchant ID', { merchantId: '9223372036854775808' }],
	])('is refused as %s before anything is sent: %j', async (field, change) => {
		const credentials = credentialsFor(sandbox.service, change);
		const rows = [{ name: 'A' }, { name: 'B' }];
		const pageName = '={{ $json.name }}';
		const { error } = await sandbox.run({ rows, parameters: { pageName }, credentials });
		expect(error?.message).toMatch(named(field));
		expect(sandbox.requests).toEqual([]);
	});

	test('is refused for the webhook too', async () => {
		const { error } = await sandbox.run({
			parameters: { ...register, webhookUrl: 'https://a.example' },
			credentials: credentialsFor(sandbox.service, { apiKey: 'a\nb' }),
		});
		expect(error?.message).toMatch(/^'API Key' /);
		expect(sandbox.requests).toEqual([]);
	});

	test.each(['  sandbox-private-key  ', '\r\nsandbox-private-key\n', '\ufeffsandbox-private-key'])(
		'accepts the key pasted as %j',
		async (privateKey) => {
			const credentials = credentialsFor(sandbox.service, { privateKey });
			const { output } = await sandbox.run({ parameters, credentials });
			expect(output).toHaveLength(1);
			expect(sandbox.requests[0]?.headers.authorization).toBe('Bearer sandbox-private-key');
		},
	);

	test.each([
		['9223372036854775807', '9223372036854775807'],
		['00123', '123'],
		[' 123\n', '123'],
	])('sends the merchant ID %j as %s', async (merchantId, onTheWire) => {
		const credentials = credentialsFor(sandbox.service, { merchantId });
		await sandbox.run({ parameters, credentials });
		expect(sandbox.requests[0]?.body.toString()).toContain(`{"merchantId":${onTheWire},`);
	});
});
