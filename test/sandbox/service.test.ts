import { LosslessNumber } from 'lossless-json';
import { paths, send, useSandbox } from './wire';

/** The interface of the service, quirks included. */
const sandbox = useSandbox({ privateKey: 'private', apiKey: 'api' });

const firstPage = () => sandbox.service.state.pages.get('1');

describe.each([
	['create', 'POST', paths.create, 'private', 'api'],
	['update', 'POST', paths.update, 'private', 'api'],
	['validate', 'GET', `${paths.validate}x`, 'private', 'api'],
	['register', 'POST', paths.register, 'api', 'private'],
])('%s', (_name, method, path, rightKey, wrongKey) => {
	test('is opened by its own key alone', async () => {
		const call = (authorization?: string) => {
			const key = authorization === undefined ? {} : { authorization };
			const headers = { ...key, 'content-type': 'application/json' };
			const body = method === 'POST' ? '{}' : '';
			return send(sandbox.service.url, path, { method, headers, body });
		};
		expect((await call(`Bearer ${rightKey}`)).status).toBe(200);
		for (const wrong of [`Bearer ${wrongKey}`, rightKey, `Basic ${rightKey}`, undefined]) {
			const answer = await call(wrong);
			expect(answer.status).toBe(401);
			expect(answer.json()).toEqual({ responseCode: '63', responseMessage: expect.any(String) });
		}
	});
});

test('without /api there is a web page, and under it an envelope', async () => {
	const page = await sandbox.read('/PaymentPages/Add');
	expect([page.status, page.headers['content-type']]).toEqual([404, expect.stringMatching('html')]);
	const answer = await sandbox.read('/api/v1/PaymentPages/Add');
	expect([answer.status, answer.json()]).toMatchObject([404, { responseCode: '30' }]);
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
	expect(own.json()).toMatchObject({ data: { paymentPageLink } });
});

test('whole numbers beyond 2^53 keep every digit, and an update without data finds the page', async () => {
	sandbox.service.configure({ merchantId: '9223372036854775807', firstId: '9007199254740993' });
	const first = await sandbox.create({ paymentPageLinkReference: 'a', isTestMode: true });
	expect(first.text).toContain('"merchantId":9223372036854775807,');
	expect(first.text).toContain('"id":9007199254740993,');
	await sandbox.create({ paymentPageLinkReference: 'b' });
	const answer = await sandbox.post('update', '{"id":9007199254740993,"pageName":"New"}');
	const responseMessage = 'Payment page updated successfully';
	expect(answer.json()).toEqual({ responseCode: '00', responseMessage });
	const { pages } = sandbox.service.state;
	expect([...pages.values()].map(({ pageName }) => pageName)).toEqual(['New', 'Page']);
	expect(pages.get('9007199254740993')).toMatchObject({ isTestMode: true, amount: 12.5 });
});

test('an update selects by the ID, or else by the reference; it changes nothing else', async () => {
	await sandbox.create({ paymentPageLinkReference: 'a' });
	await sandbox.post('update', { paymentPageLinkReference: 'a', description: 'found' });
	expect(firstPage()).toMatchObject({ description: 'found', pageName: 'Page', isDeleted: false });
	await sandbox.post('update', { id: new LosslessNumber('1'), paymentPageLinkReference: 'c' });
	const paymentPageLink = `${sandbox.service.url}/pay/c`;
	expect(firstPage()).toMatchObject({ paymentPageLinkReference: 'c', paymentPageLink });
	for (const body of ['{"id":3}', '{"paymentPageLinkReference":"none"}', '{}']) {
		expect((await sandbox.post('update', body)).json()).toMatchObject({ responseCode: '25' });
	}
});

test('pages with the same reference stand side by side, or the second one is rejected', async () => {
	for (const [duplicateReferences, code] of [
		['allow', '00'],
		['allow', '00'],
		['reject', '94'],
	] as const) {
		sandbox.service.configure({ duplicateReferences });
		const answer = await sandbox.create({ paymentPageLinkReference: 'same' });
		expect(answer.json()).toMatchObject({ responseCode: code });
	}
	expect(sandbox.service.state.pages.size).toBe(2);
});

test('validate tells an existing reference from an unknown one in the same shape', async () => {
	const responseMessage = 'Payment page link reference validated';
	for (const isValid of [false, true]) {
		const answer = await sandbox.validate('%E2%82%AC%2F%2E%2E');
		expect(answer.json()).toEqual({ responseCode: '00', responseMessage, data: { isValid } });
		await sandbox.create({ paymentPageLinkReference: '€/..' });
	}
});

test.each([
	['merchantId', '"1002003004005006007"'],
	['merchantId', '1.5'],
	['additionalFields', '[]'],
	['isFixedAmount', '"true"'],
	['amount', '"1,000"'],
	['amount', 'true'],
	['callBackUrl', 'null'],
])(
	'a request that is not right is answered with the name of the field: %s as %s',
	async (name, value) => {
		const answer = await sandbox.post('create', `{"${name}":${value}}`);
		const responseMessage = expect.stringMatching(`^${name} must be `);
		expect(answer.json()).toEqual({ responseCode: '30', responseMessage });
	},
);

test('another merchant is rejected, and so is a body that is none, or of another type', async () => {
	const other = await sandbox.post('create', '{"merchantId":1002003004005006008}');
	expect(other.json()).toMatchObject({ responseCode: '03' });
	for (const body of ['', '{', '[]']) {
		const answer = await sandbox.post('create', body);
		expect([answer.status, answer.json()]).toMatchObject([400, { responseCode: '30' }]);
	}
	const headers = { authorization: 'Bearer private', 'content-type': 'text/plain' };
	const options = { method: 'POST', headers, body: '{}' };
	expect((await send(sandbox.service.url, paths.create, options)).status).toBe(415);
	expect(sandbox.service.state.pages.size).toBe(0);
});

test.each([
	['https://a.example', 'https://a.example/'],
	['https://a.example/hook/', 'https://a.example/hook/'],
	['https://a.example/hook?token=a/b&c', 'https://a.example/hook/?token=a/b&c'],
	['https://A.example/h%6Fok', 'https://A.example/h%6Fok/'],
])(
	'register keeps %s alone, with a slash at the end of the path: %s',
	async (requestedUrl, webhookUrl) => {
		await sandbox.register('https://first.example/');
		const answer = await sandbox.register(requestedUrl, 'the secret');
		const responseMessage = 'Webhook registered successfully';
		expect(answer.json()).toEqual({ responseCode: '00', responseMessage, data: { webhookUrl } });
		expect(sandbox.service.state.registration).toMatchObject({ webhookUrl, requestedUrl });
	},
);

test.each([
	['30', '{"webhookUrl":"shop.example"}'],
	['30', '{}'],
	['30', '{"webhookUrl":"https://a.example","secret":5}'],
	['03', '{"webhookUrl":"https://a.example","merchantId":12}'],
])('register rejects with code %s: %s', async (responseCode, body) => {
	expect((await sandbox.post('register', body)).json()).toMatchObject({ responseCode });
	expect(sandbox.service.state.registration).toBeNull();
});
