import { type Sandbox, startSandbox } from '../../sandbox';
import { type Answer, pageFields, post, send } from './wire';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

async function createPage(fields: object = {}): Promise<string> {
	const page = { paymentPageLinkReference: 'a/b ü', amount: '12.50', ...fields };
	await post(sandbox, 'create', pageFields(sandbox, page));
	const [created] = [...sandbox.state.pages.values()].slice(-1);
	return new URL(created?.paymentPageLink ?? '').pathname;
}

const pay = (path: string, form: string): Promise<Answer> =>
	send(sandbox.url, path, {
		method: 'POST',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: form,
	});

test('shows what the merchant typed as text, never as markup', async () => {
	const nasty = `<script>alert("1")</script>'&`;
	const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;';
	const path = await createPage({
		businessName: `B${nasty}`,
		pageName: `N${nasty}`,
		description: `D${nasty}`,
		successMessage: `S${nasty}`,
		paymentPageLinkReference: `R${nasty}`,
	});
	const shown = await send(sandbox.url, path);
	expect(shown.status).toBe(200);
	expect(shown.text).not.toContain('<script');
	for (const letter of 'BND') expect(shown.text).toContain(letter + escaped);
	const paid = await pay(path, `amount=${encodeURIComponent('1')}`);
	const result = await send(sandbox.url, String(paid.headers.location));
	expect(result.text).toContain(`S${escaped}`);
	expect(result.text).not.toContain('<script');
	const statusPage = await send(sandbox.url, '/');
	expect(statusPage.text).toContain(`R${escaped}`);
	expect(statusPage.text).not.toContain('<script');
});

test('asks for an amount only when it is not fixed, and for a phone number only when required', async () => {
	const open = await send(sandbox.url, await createPage({ isTestMode: true }));
	expect(open.text).toContain('name="amount"');
	expect(open.text).not.toContain('name="phoneNumber"');
	expect(open.text).toContain('Test mode');
	const fixed = await send(
		sandbox.url,
		await createPage({
			paymentPageLinkReference: 'fixed',
			isFixedAmount: true,
			isPhoneNumberRequired: true,
		}),
	);
	expect(fixed.text).not.toContain('name="amount"');
	expect(fixed.text).toContain('12.50');
	expect(fixed.text).toContain('name="phoneNumber"');
	expect(fixed.text).not.toContain('Test mode');
});

test.each([
	['3.5', 3.5],
	['3,50', 3.5],
	['20', 20],
])('takes the amount %s from the payer', async (entered, amount) => {
	const path = await createPage();
	const paid = await pay(path, `amount=${encodeURIComponent(entered)}&phoneNumber=123`);
	expect(paid.status).toBe(303);
	expect(sandbox.state.payments).toMatchObject([{ amount, phoneNumber: '123', pageId: '1' }]);
	const result = await send(sandbox.url, String(paid.headers.location));
	expect(result.text).toContain('Thank you');
	// Reloading shows the result again and pays nothing.
	expect(sandbox.state.payments).toHaveLength(1);
});

test('ignores an amount that the payer sends for a page with a fixed one', async () => {
	await pay(await createPage({ isFixedAmount: true }), 'amount=0.01');
	expect(sandbox.state.payments).toMatchObject([{ amount: 12.5 }]);
});

test.each(['', '0', '-1', 'abc', '1,000', '1e3', 'NaN'])(
	'refuses the amount %p in words',
	async (entered) => {
		const refused = await pay(await createPage(), `amount=${entered}`);
		expect(refused.status).toBe(422);
		expect(refused.text).toContain('role="alert"');
		expect(refused.text).toContain('aria-invalid="true"');
		expect(sandbox.state.payments).toEqual([]);
	},
);

test('refuses a payment without the phone number that the page requires', async () => {
	const path = await createPage({ isPhoneNumberRequired: true });
	const refused = await pay(path, 'amount=5&phoneNumber=+');
	expect(refused.status).toBe(422);
	expect(refused.text).toContain('phone number');
	expect(refused.text).toContain('value="5"');
});

test('takes no payment for a deleted page', async () => {
	const path = await createPage();
	await post(sandbox, 'update', { paymentPageLinkReference: 'a/b ü', isDeleted: true });
	expect((await send(sandbox.url, path)).status).toBe(410);
	expect((await pay(path, 'amount=5')).status).toBe(422);
	expect(sandbox.state.payments).toEqual([]);
});

test.each(['GET', 'POST'] as const)('answers %s for an unknown page with 404', async (method) => {
	const answer = await send(sandbox.url, '/pay/unknown', { method });
	expect(answer.status).toBe(404);
	expect(answer.headers['content-type']).toMatch(/^text\/html/);
});
