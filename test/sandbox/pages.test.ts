import { type Sandbox, startSandbox } from '../../sandbox';
import { LosslessNumber } from 'lossless-json';
import { pageFields, post, validate } from './wire';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

describe('create', () => {
	test('answers with every field of the interface, in a message that reads as a fetch', async () => {
		const answer = await post(
			sandbox,
			'create',
			`{"businessName":"Zoë's","merchantId":1002003004005006007,"pageName":"Invoice","description":"Cake",
			"amount":"12.50","isFixedAmount":true,"isPhoneNumberRequired":true,"paymentPageLink":"https://pay.example/a",
			"paymentPageLinkReference":"a","callBackUrl":"https://shop.example/paid","successMessage":"Thanks",
			"notificationEmail":"me@shop.example","isTestMode":true,"pageType":"invoice","additionalFields":"[]"}`,
		);
		expect(answer.status).toBe(200);
		expect(answer.headers['content-type']).toMatch(/^application\/json/);
		expect(
			answer.text.replace(/"dateCreated":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+"/, '"DATE"'),
		).toBe(
			'{"responseCode":"00","responseMessage":"Payment page fetched successfully","data":{"id":1,' +
				'"businessName":"Zoë\'s","merchantId":1002003004005006007,"pageName":"Invoice",' +
				'"description":"Cake","amount":12.5,"isFixedAmount":true,"isPhoneNumberRequired":true,' +
				'"paymentPageLink":"https://pay.example/a","paymentPageLinkReference":"a",' +
				'"callBackUrl":"https://shop.example/paid","successMessage":"Thanks",' +
				'"notificationEmail":"me@shop.example","isTestMode":true,"additionalFields":"[]",' +
				'"isActive":true,"DATE","isDeleted":false}}',
		);
	});

	test('fills in the address of its own hosted page when the request has no link', async () => {
		const answer = await post(
			sandbox,
			'create',
			pageFields(sandbox, { paymentPageLinkReference: 'caf\u00e9/1' }),
		);
		expect(answer.json()).toMatchObject({
			data: { paymentPageLink: `${sandbox.url}/pay/caf%C3%A9%2F1` },
		});
	});

	test.each([
		['"7"', 7],
		['"12.50"', 12.5],
		['0', 0],
		['0.1', 0.1],
		['"1e3"', 1000],
	])('takes the amount %s and returns the number %d', async (sent, returned) => {
		const answer = await post(sandbox, 'create', `{"amount":${sent}}`);
		expect(answer.json()).toMatchObject({ responseCode: '00', data: { amount: returned } });
	});

	test('keeps every digit of whole numbers beyond 2^53', async () => {
		sandbox.configure({ merchantId: '9223372036854775807', firstId: '9007199254740993' });
		const body = '{"merchantId":9223372036854775807,"paymentPageLinkReference":"a"}';
		const first = await post(sandbox, 'create', body);
		const second = await post(sandbox, 'create', body.replace('"a"', '"b"'));
		expect(first.text).toContain('"merchantId":9223372036854775807,');
		expect(first.text).toContain('"id":9007199254740993,');
		expect(second.text).toContain('"id":9007199254740994,');
		await post(sandbox, 'update', '{"id":9007199254740993,"pageName":"the first"}');
		expect(sandbox.state.pages.get('9007199254740993')?.pageName).toBe('the first');
		expect(sandbox.state.pages.get('9007199254740994')?.pageName).toBeNull();
	});

	test('keeps pages with the same reference side by side, or refuses the second one', async () => {
		const fields = pageFields(sandbox, { paymentPageLinkReference: 'same' });
		await post(sandbox, 'create', fields);
		expect((await post(sandbox, 'create', fields)).json()).toMatchObject({ responseCode: '00' });
		expect(sandbox.state.pages.size).toBe(2);
		sandbox.configure({ duplicateReferences: 'reject' });
		const refused = await post(sandbox, 'create', fields);
		expect(refused.json()).toMatchObject({
			responseCode: '94',
			responseMessage: expect.stringContaining('paymentPageLinkReference'),
		});
		expect(sandbox.state.pages.size).toBe(2);
	});
});

describe('update', () => {
	beforeEach(async () => {
		for (const paymentPageLinkReference of ['a', 'b']) {
			const fields = { paymentPageLinkReference, amount: 5, isTestMode: true };
			await post(sandbox, 'create', pageFields(sandbox, fields));
		}
	});

	test('answers without data, and leaves what was not given as it was', async () => {
		const fields = { id: new LosslessNumber('1'), pageName: 'New', amount: '6.5', isDeleted: true };
		const answer = await post(sandbox, 'update', pageFields(sandbox, fields));
		expect(answer.json()).toEqual({
			responseCode: '00',
			responseMessage: 'Payment page updated successfully',
		});
		expect(sandbox.state.pages.get('1')).toMatchObject({
			id: '1',
			pageName: 'New',
			amount: 6.5,
			isDeleted: true,
			isTestMode: true,
			paymentPageLinkReference: 'a',
		});
		expect(sandbox.state.pages.get('2')).toMatchObject({ pageName: 'Page', isDeleted: false });
	});

	test('selects by reference when there is no ID', async () => {
		await post(sandbox, 'update', { paymentPageLinkReference: 'b', description: 'found' });
		expect(sandbox.state.pages.get('1')?.description).toBeNull();
		expect(sandbox.state.pages.get('2')?.description).toBe('found');
	});

	test('lets the ID decide when both are given; the reference and the hosted link then change', async () => {
		await post(sandbox, 'update', { id: new LosslessNumber('1'), paymentPageLinkReference: 'c' });
		expect(sandbox.state.pages.get('1')).toMatchObject({
			paymentPageLinkReference: 'c',
			paymentPageLink: `${sandbox.url}/pay/c`,
		});
	});

	test.each([
		['id', '{"id":3}'],
		['paymentPageLinkReference', '{"paymentPageLinkReference":"none"}'],
		['paymentPageLinkReference', '{}'],
	])('refuses a page that it cannot find by %s: %s', async (name, body) => {
		const answer = await post(sandbox, 'update', body);
		expect(answer.status).toBe(200);
		expect(answer.json()).toEqual({
			responseCode: '25',
			responseMessage: expect.stringContaining(name),
		});
	});
});

describe('validate reference', () => {
	const references = ['plain', 'a/b', '..', '50%', '%2F', 'Zoë & co?', '😀'.repeat(5000), 'a\'b"c'];

	test.each(references.map((reference) => [reference.slice(0, 10), reference]))(
		'tells an existing reference from an unknown one in the same shape: %s',
		async (_name, reference) => {
			// Dots are no text that encodeURIComponent encodes, but a path of dots means another path.
			const encoded = encodeURIComponent(reference).replaceAll('.', '%2E');
			const unknown = await validate(sandbox, encoded);
			await post(sandbox, 'create', pageFields(sandbox, { paymentPageLinkReference: reference }));
			const existing = await validate(sandbox, encoded);
			const shape = {
				responseCode: '00',
				responseMessage: 'Payment page link reference validated',
			};
			expect(unknown.json()).toEqual({ ...shape, data: { isValid: false } });
			expect(existing.json()).toEqual({ ...shape, data: { isValid: true } });
			expect([unknown.status, existing.status]).toEqual([200, 200]);
		},
	);
});

describe('a request that is not right', () => {
	test.each([
		['merchantId', '"1002003004005006007"'],
		['merchantId', '1.5'],
		['merchantId', 'null'],
		['additionalFields', '[]'],
		['additionalFields', '{}'],
		['isFixedAmount', '"true"'],
		['isTestMode', '1'],
		['amount', '"1,000"'],
		['amount', '"abc"'],
		['amount', '""'],
		['amount', 'true'],
		['pageName', '5'],
		['callBackUrl', 'null'],
	])('is answered with the name of the field: %s as %s', async (name, value) => {
		const answer = await post(sandbox, 'create', `{"${name}":${value}}`);
		expect(answer.json()).toEqual({
			responseCode: '30',
			responseMessage: expect.stringMatching(`^${name} must be `),
		});
		expect(sandbox.state.pages.size).toBe(0);
	});

	test('is refused for another merchant', async () => {
		const answer = await post(sandbox, 'create', '{"merchantId":1002003004005006008}');
		expect(answer.json()).toMatchObject({ responseCode: '03' });
		expect(sandbox.state.pages.size).toBe(0);
	});

	test.each(['', '{', '[]', '"text"', '5'])('is refused when its body is %p', async (body) => {
		const answer = await post(sandbox, 'create', body);
		expect(answer.status).toBe(400);
		expect(answer.json()).toMatchObject({ responseCode: '30' });
	});
});
