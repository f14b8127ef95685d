import { PaymentPageTrigger } from '../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';
import { hookContextFor } from './harness/hookContext';
import { credentialsFor, register, useSandbox } from './sandbox';

const sandbox = useSandbox();

const webhookUrl = 'https://hooks.shop.example/events';
const secret = 'whsec-"quoted"-0123456789';

const withSecret = () => credentialsFor(sandbox.service, { webhookSecret: secret });

test('registers with the API key and never shows the secret', async () => {
	const { run, output } = await sandbox.run({
		parameters: { ...register, webhookUrl },
		credentials: credentialsFor(sandbox.service, { webhookSecret: ` ${secret}\n` }),
	});
	expect(sandbox.requests).toHaveLength(1);
	const [request] = sandbox.requests;
	expect(request?.method).toBe('POST');
	expect(request?.url).toBe('/api/WebhookRegistration/RegisterWebhook');
	expect(request?.keyUsed).toBe('apiKey');
	expect(request?.body.toString()).toBe(
		'{"webhookUrl":"https://hooks.shop.example/events","merchantId":1002003004005006007,"secret":"whsec-\\"quoted\\"-0123456789"}',
	);
	expect(output).toEqual([
		{
			json: {
				registered: true,
				webhookUrl: `${webhookUrl}/`,
				merchantId: '1002003004005006007',
				responseMessage: 'Webhook registered successfully',
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(JSON.stringify(run.data.resultData.runData['Payment Page'])).not.toContain('whsec');
	expect(sandbox.service.state.registration?.secret).toBe(secret);
});

test('registers several items one after the other, so that the last wins', async () => {
	sandbox.service.configure({
		faults: [{ endpoint: 'register', kind: 'latency', milliseconds: 200, nth: [1] }],
	});
	await sandbox.run({
		parameters: { ...register, webhookUrl: '={{ $json.url }}' },
		rows: [{ url: `${webhookUrl}/1` }, { url: `${webhookUrl}/2` }],
		credentials: withSecret(),
	});
	expect(sandbox.service.state.registration?.webhookUrl).toBe(`${webhookUrl}/2/`);
});

test('rejects a short secret', async () => {
	const credentials = credentialsFor(sandbox.service, { webhookSecret: 'short' });
	const { error } = await sandbox.run({ parameters: { ...register, webhookUrl }, credentials });
	expect(error?.message).toBe("'Webhook Secret' must be text of at least 8 characters");
	expect(sandbox.requests).toEqual([]);
});

test('publishing a trigger refuses a short secret by name, and registers nothing', async () => {
	const hook = hookContextFor(credentialsFor(sandbox.service, { webhookSecret: 'short' }));
	const { webhookMethods } = new PaymentPageTrigger();
	await expect(webhookMethods.default.create.call(hook)).rejects.toThrow(
		/'Webhook Secret' must be text of at least 8 characters\. Enter a longer one/,
	);
	expect(sandbox.requests).toEqual([]);
});

test('is rejected without a secret of the credential: nobody could know a derived one', async () => {
	// A workflow of an older version may still hold one.
	const parameters = { ...register, webhookUrl, secret: 'typed-into-the-node' };
	const { error } = await sandbox.run({ parameters });
	expect(error?.message).toBe("'Webhook Secret' is empty in the credential");
	expect(error?.description).toContain('Nothing was sent.');
	expect(sandbox.requests).toEqual([]);
});

test.each(['', 'hooks.shop.example', 'ftp://x.example', 'https://', 'https://a b.example', 42])(
	'rejects %j as webhook URL, before anything is sent',
	async (url) => {
		const { error } = await sandbox.run({
			rows: [{ url: webhookUrl }, { url }],
			parameters: { ...register, webhookUrl: '={{ $json.url }}' },
			credentials: withSecret(),
		});
		expect(error?.message).toMatch(/^'Webhook URL' /);
		expect(sandbox.requests).toEqual([]);
	},
);
