import { LosslessNumber } from 'lossless-json';
import { send } from '../support/request';
import { json, paths, useSandbox } from './wire';

/** The interface of the service, quirks included. */
const sandbox = useSandbox({ privateKey: 'private', apiKey: 'api' });

test.each([
	['POST', paths.create, 'private', 'api'],
	['POST', paths.update, 'private', 'api'],
	['GET', `${paths.validate}x`, 'private', 'api'],
	['POST', paths.register, 'api', 'private'],
])('%s %s is opened by its own key alone', async (method, path, rightKey, wrongKey) => {
	const call = (authorization: string) => {
		const headers = { authorization, 'content-type': 'application/json' };
		const body = method === 'POST' ? '{}' : '';
		return send(sandbox.service.baseUrl + path, { method, headers, body });
	};
	expect((await call(`Bearer ${rightKey}`)).status).toBe(200);
	for (const wrong of ['', `Bearer ${wrongKey}`, rightKey, `Basic ${rightKey}`]) {
		const answer = await call(wrong);
		const rejection = { responseCode: '63', responseMessage: expect.any(String) };
		expect([answer.status, json(answer)]).toEqual([401, rejection]);
	}
});

test('without /api there is a web page, and under it an envelope', async () => {
	const page = await sandbox.read(paths.create);
	expect([page.status, page.contentType]).toEqual([404, expect.stringMatching('html')]);
	const answer = await sandbox.read(`/api${paths.create}`);
	expect([answer.status, json(answer)]).toMatchObject([404, { responseCode: '30' }]);
});

test('create answers with every field of the interface, in a message that reads as a fetch', async () => {
	const answer = await sandbox.post(
		'create',
		`{"businessName":"Zoë's","merchantId":1002003004005006007,"pageName":"Invoice","description":"Cake",
		"amount":"12.50","isFixedAmount":true,"isPhoneNumberRequired":true,"paymentPageLink":"https://pay.example/a",
		"paymentPageLinkReference":"a","callBackUrl":"https://shop.example/paid","successMessage":"Thanks",
		"notificationEmail":"me@shop.example","isTestMode":true,"pageType":"invoice","additionalFields":"[]"}`,
	);
	const date = /"dateCreated":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+"/;
	expect(answer.text.replace(date, '"DATE"')).toBe(
		'{"responseCode":"00","responseMessage":"Payment page fetched successfully","data":{"id":1,' +
			'"businessName":"Zoë\'s","merchantId":1002003004005006007,"pageName":"Invoice",' +
			'"description":"Cake","amount":12.5,"isFixedAmount":true,"isPhoneNumberRequired":true,' +
			'"paymentPageLink":"https://pay.example/a","paymentPageLinkReference":"a",' +
			'"callBackUrl":"https://shop.example/paid","successMessage":"Thanks",' +
			'"notificationEmail":"me@shop.example","isTestMode":true,"additionalFields":"[]",' +
			'"isActive":true,"DATE","isDeleted":false}}',
	);
	const own = await sandbox.create({ paymentPageLinkReference: 'café/1' });
	const paymentPageLink = `${sandbox.service.url}/pay/caf%C3%A9%2F1`;
	expect(json(own)).toMatchObject({ data: { paymentPageLink } });
});

test('whole numbers beyond 2^53 keep every digit, and an update without data finds the page', async () => {
	sandbox.service.configure({ merchantId: '9223372036854775807', firstId: '9007199254740993' });
	const first = await sandbox.create({ paymentPageLinkReference: 'a', isTestMode: true });
	expect(first.text).toContain('"merchantId":9223372036854775807,');
	expect(first.text).toContain('"id":9007199254740993,');
	await sandbox.create({ paymentPageLinkReference: 'b' });
	const answer = await sandbox.post('update', '{"id":9007199254740993,"pageName":"New"}');
	const responseMessage = 'Payment page updated successfully';
	expect(json(answer)).toEqual({ responseCode: '00', responseMessage });
	const [page, other] = [...sandbox.service.state.pages.values()];
	expect(page).toMatchObject({ pageName: 'New', isTestMode: true, amount: 12.5 });
	expect(other).toMatchObject({ id: '9007199254740994', pageName: 'Page' });
});

test('an update selects by the ID, or else by the reference; it changes nothing else', async () => {
	const page = () => sandbox.service.state.pages.get('1');
	await sandbox.create({ paymentPageLinkReference: 'a' });
	await sandbox.post('update', { paymentPageLinkReference: 'a', description: 'found' });
	expect(page()).toMatchObject({ description: 'found', pageName: 'Page', isDeleted: false });
	await sandbox.post('update', { id: new LosslessNumber('1'), paymentPageLinkReference: 'c' });
	const paymentPageLink = `${sandbox.service.url}/pay/c`;
	expect(page()).toMatchObject({ paymentPageLinkReference: 'c', paymentPageLink });
});

test('validate tells an existing reference from an unknown one in the same shape', async () => {
	const responseMessage = 'Payment page link reference validated';
	for (const isValid of [false, true]) {
		const answer = await sandbox.validate('%E2%82%AC%2F%2E%2E');
		expect(json(answer)).toEqual({ responseCode: '00', responseMessage, data: { isValid } });
		await sandbox.create({ paymentPageLinkReference: '€/..' });
	}
	sandbox.service.configure({ duplicateReferences: 'reject' });
	const second = await sandbox.create({ paymentPageLinkReference: '€/..' });
	expect(json(second)).toMatchObject({ responseCode: '94' });
	expect(sandbox.service.state.pages.size).toBe(2);
});

test.each([
	['https://a.example', 'https://a.example/'],
	['https://a.example/hook/', 'https://a.example/hook/'],
	['https://a.example/hook?token=a/b&c', 'https://a.example/hook/?token=a/b&c'],
	['https://A.example/h%6Fok', 'https://A.example/h%6Fok/'],
])('register keeps %s alone, with a slash after its path: %s', async (requestedUrl, webhookUrl) => {
	await sandbox.register('https://first.example/');
	const answer = await sandbox.register(requestedUrl, 'the secret');
	const responseMessage = 'Webhook registered successfully';
	expect(json(answer)).toEqual({ responseCode: '00', responseMessage, data: { webhookUrl } });
	expect(sandbox.service.state.registration).toMatchObject({ webhookUrl, requestedUrl });
});

test.each<['create' | 'update' | 'register', number, string, string, ...string[]]>([
	['create', 400, '30', 'Invalid JSON', '', '{'],
	['create', 400, '30', 'The body must be a JSON object', '[]'],
	['create', 200, '30', 'merchantId must be', '{"merchantId":"7"}', '{"merchantId":1.5}'],
	['create', 200, '03', 'merchantId is not', '{"merchantId":1002003004005006008}'],
	['create', 200, '30', 'additionalFields must be', '{"additionalFields":[]}'],
	['create', 200, '30', 'isFixedAmount must be', '{"isFixedAmount":"true"}'],
	['create', 200, '30', 'amount must be', '{"amount":"1,000"}', '{"amount":true}'],
	['create', 200, '30', 'callBackUrl must be', '{"callBackUrl":null}'],
	['update', 200, '25', 'No payment page has this id', '{"id":3}'],
	['update', 200, '25', 'No payment page has', '{}', '{"paymentPageLinkReference":"none"}'],
	['register', 200, '30', 'webhookUrl must be', '{}', '{"webhookUrl":"shop.example"}'],
	['register', 200, '30', 'secret must be', '{"webhookUrl":"https://a.example","secret":5}'],
	['register', 200, '03', 'merchantId is', '{"webhookUrl":"https://a.example","merchantId":12}'],
])(
	'%s rejects with HTTP %d and code %s: "%s"',
	async (endpoint, status, responseCode, words, ...bodies) => {
		const responseMessage = expect.stringContaining(words);
		for (const body of bodies) {
			const answer = await sandbox.post(endpoint, body);
			expect([answer.status, json(answer)]).toEqual([status, { responseCode, responseMessage }]);
		}
		const { pages, registration } = sandbox.service.state;
		expect([pages.size, registration]).toEqual([0, null]);
	},
);

test('a body of another type is rejected', async () => {
	const headers = { authorization: 'Bearer private', 'content-type': 'text/plain' };
	const answer = await send(sandbox.service.baseUrl + paths.create, { headers, body: '{}' });
	expect(answer.status).toBe(415);
});
