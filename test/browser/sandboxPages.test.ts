import { addPage, registeredUrl } from '../support/service';
import { send } from '../support/request';
import { misfits } from './support/misfits';
import { payOpenPage, useSandboxWindow } from './support/sandboxWindow';

/** The sandbox's pages, filled with what is hard to show: long words, numbers, addresses, failures. */
const window = useSandboxWindow();

const longReference = 'website-redesign-second-instalment-for-the-harbour-light-studio-2026-0117';
const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

beforeAll(async () => {
	const { sandbox } = window();
	const { apiKey, merchantId } = sandbox.settings;
	await send(`${sandbox.baseUrl}/WebhookRegistration/RegisterWebhook`, {
		headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
		body: `{"webhookUrl":"${sandbox.url}/webhook/${longReference}?token=${longReference}","merchantId":${merchantId},"secret":"a secret of this test"}`,
	});
	expect(registeredUrl(sandbox)).toContain(longReference);
	await addPage(sandbox, longReference, {
		businessName: longWord,
		pageName: `<b>${longWord}</b> ${longReference}`,
		description: `A description of some length, with a word that is long: ${longWord}.`,
		amount: '1234567890.12',
		isFixedAmount: true,
		isTestMode: true,
		successMessage: 'Thank you. We have received your payment.',
	});
	await addPage(sandbox, 'donation', { pageName: 'Donation', isPhoneNumberRequired: true });
	// Nothing answers at the address that was registered.
	await sandbox.pay(longReference);
	const slow = { milliseconds: 1500, jitterMilliseconds: 500 };
	sandbox.configure({ faults: [{ endpoint: 'create', kind: 'latency', rate: 0.5, ...slow }] });
});

describe.each([1280, 390])('in a window of %i pixels', (width) => {
	test('a page with a fixed amount is shown in full, and paid with one click', async () => {
		const { sandbox, open } = window();
		const page = await open(`/pay/${longReference}`, width);
		await page.getByRole('heading', { name: `<b>${longWord}</b> ${longReference}` }).waitFor();
		await page.getByText('1,234,567,890.12').first().waitFor();
		expect(await misfits(page)).toEqual([]);
		await payOpenPage(page);
		await page.getByText('Thank you. We have received your payment.').waitFor();
		expect(sandbox.state.payments.at(-1)).toMatchObject({ amount: 1234567890.12 });
	});

	test('a page that asks for more says what is wrong, and takes it once it is right', async () => {
		const { sandbox, open } = window();
		const page = await open('/pay/donation', width);
		expect(await misfits(page)).toEqual([]);
		await page.getByLabel('Phone number').fill('+49 30 901820');
		await page.getByLabel('Amount').fill('1,000');
		await page.getByRole('button', { name: 'Pay' }).click();
		await page.getByRole('alert').waitFor();
		expect(await misfits(page)).toEqual([]);
		await page.getByLabel('Amount').fill('35.5');
		await payOpenPage(page);
		await page.getByText('35.50 paid').waitFor();
		expect(await misfits(page)).toEqual([]);
		const paid = { amount: 35.5, phoneNumber: '+49 30 901820' };
		expect(sandbox.state.payments.at(-1)).toMatchObject(paid);
	});

	test('the status page, what its forms say, and a page that does not exist can be seen in full', async () => {
		const { open } = window();
		const page = await open('/', width);
		await page.getByText('Payment pages sandbox').first().waitFor();
		expect(await misfits(page)).toEqual([]);
		await page.getByLabel('Share of requests, 0 to 1').fill('2');
		await page.getByRole('button', { name: 'Add fault' }).click();
		await page.getByRole('alert').waitFor();
		expect(await misfits(page)).toEqual([]);
		const none = await open('/pay/nobody', width);
		await none.getByText('Page not found').first().waitFor();
		expect(await misfits(none)).toEqual([]);
	});
});
