import { startAnsweringServer } from './answeringServer';
import { automatic, credentialsFor, useSandbox } from './sandbox';

/** A credential's fields may hold expressions: a key and a merchant for each item. */
const sandbox = useSandbox();

const rows = [
	{ paymentPageLinkReference: 'a', merchant: '111', key: 'key-of-111-aaaa' },
	{ paymentPageLinkReference: 'a', merchant: '222', key: 'key-of-222-bbbb' },
];

test('each item is sent with its own key and merchant, and no key is shown', async () => {
	const merchants: string[] = [];
	const server = await startAnsweringServer(({ method, headers, body }) => {
		if (method === 'POST') merchants.push(`${headers.authorization} ${body}`);
		const words = `no ${headers.authorization}`;
		return method === 'GET'
			? { body: '{"responseCode":"00","data":{"isValid":false}}' }
			: { body: JSON.stringify({ responseCode: '05', responseMessage: words }) };
	});
	const { output } = await sandbox.run({
		rows,
		parameters: automatic('create', { ifReferenceExists: 'skip', maxParallelRequests: 1 }),
		credentials: credentialsFor(sandbox.service, {
			baseUrl: server.baseUrl,
			merchantId: '={{ $json.merchant }}',
			privateKey: '={{ $json.key }}',
		}),
		settings: { onError: 'continueRegularOutput' },
	});
	await server.stop();
	expect(merchants).toEqual([
		expect.stringMatching(/^Bearer key-of-111-aaaa .*"merchantId":111[,}]/),
		expect.stringMatching(/^Bearer key-of-222-bbbb .*"merchantId":222[,}]/),
	]);
	for (const { json } of output)
		expect(json.error).toMatch(/^The service rejected the request: no .*\*\*\*/);
	expect(JSON.stringify(output.map(({ json }) => [json.error, json.details]))).not.toContain(
		'key-of',
	);
});

test('one reference is two pages for two merchants', async () => {
	let id = 0;
	const server = await startAnsweringServer(({ method }) => ({
		body:
			method === 'GET'
				? '{"responseCode":"00","data":{"isValid":false}}'
				: JSON.stringify({ responseCode: '00', data: { id: ++id } }),
	}));
	const { output } = await sandbox.run({
		rows,
		parameters: automatic('create', { ifReferenceExists: 'skip' }),
		credentials: credentialsFor(sandbox.service, {
			baseUrl: server.baseUrl,
			merchantId: '={{ $json.merchant }}',
			privateKey: '={{ $json.key }}',
		}),
	});
	await server.stop();
	expect(output.map(({ json }) => json.id)).toEqual([1, 2]);
});
