import { send } from '../support/request';
import { json, paths, useSandbox } from './wire';

/** The interface of the service, quirks included. */
const sandbox = useSandbox({ privateKey: 'private', apiKey: 'api' });

test.each([
	['POST', paths.create, 'private', 'api'],
	['POST', paths.update, 'private', 'api'],
	['GET', `${paths.validate}x`, 'private', 'api'],
	['POST', paths.register, 'api', 'private'],
])('%s %s is opened by its own key alone, for JSON', async (method, path, rightKey, wrongKey) => {
	const call = (authorization: string, type = 'application/json') => {
		const headers = { authorization, 'content-type': type };
		const body = method === 'POST' ? '{}' : '';
		return send(sandbox.service.baseUrl + path, { method, headers, body });
	};
	expect((await call(`Bearer ${rightKey}`)).status).toBe(200);
	const otherType = await call(`Bearer ${rightKey}`, 'text/plain');
	expect(otherType.status).toBe(method === 'POST' ? 415 : 200);
	for (const wrong of ['', `Bearer ${wrongKey}`, rightKey, `Basic ${rightKey}`]) {
		const answer = await call(wrong);
		const rejection = { responseCode: '63', responseMessage: expect.any(String) };
		expect([answer.status, json(answer)]).toEqual([401, rejection]);
	}
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
});

test('an update finds the page by its ID, or else its reference, and changes nothing else', async () => {
	sandbox.service.configure({ merchantId: '9223372036854775807', firstId: '9007199254740993' });
	const first = await sandbox.create({ paymentPageLinkReference: 'a', isTestMode: true });
	// Whole numbers beyond 2^53 keep every digit.
	expect(first.text).toContain('"merchantId":9223372036854775807,');
	expect(first.text).toContain('"id":9007199254740993,');
	await sandbox.create({ paymentPageLinkReference: 'b' });
	await sandbox.post('update', { paymentPageLinkReference: 'b', description: 'found' });
	const body = '{"id":9007199254740993,"paymentPageLinkReference":"c"}';
	const answer = await sandbox.post('update', body);
	const responseMessage = 'Payment page updated successfully';
	expect(json(answer)).toEqual({ responseCode: '00', responseMessage });
	const paymentPageLink = `${sandbox.service.url}/pay/c`;
	const moved = { paymentPageLinkReference: 'c', paymentPageLink, description: null };
	expect([...sandbox.service.state.pages.values()]).toMatchObject([
		{ ...moved, pageName: 'Page', amount: 12.5, isTestMode: true, isDeleted: false },
		{ id: '9007199254740994', paymentPageLinkReference: 'b', description: 'found' },
	]);
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
])('%s: HTTP %d, code %s, "%s"', async (endpoint, status, responseCode, words, ...bodies) => {
	const responseMessage = expect.stringContaining(words);
	for (const body of bodies) {
		const answer = await sandbox.post(endpoint, body);
		expect([answer.status, json(answer)]).toEqual([status, { responseCode, responseMessage }]);
	}
	expect(sandbox.service.state).toMatchObject({ pages: new Map(), registration: null });
});
