import axios from 'axios';
import type { Sandbox } from '../../sandbox';
import { misfits } from './support/misfits';
import { addPageToPay } from './support/payablePage';
import { useSandboxWindow } from './support/sandboxWindow';

const window = useSandboxWindow();

const longReference = 'website-redesign-second-instalment-for-the-harbour-light-studio-2026-0117';

/** Has the sandbox hold what is hard to show: long words, numbers, addresses, failures. */
async function fill(sandbox: Sandbox): Promise<void> {
	const { apiKey, merchantId } = sandbox.settings;
	await axios.post(
		`${sandbox.baseUrl}/WebhookRegistration/RegisterWebhook`,
		`{"webhookUrl":"${sandbox.url}/webhook/${longReference}?token=${longReference}","merchantId":${merchantId},"secret":"a secret of this test"}`,
		{ headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' } },
	);
	await addPageToPay(sandbox, {
		businessName:
			'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
		pageName: `Donaudampfschifffahrtselektrizitätenhauptbetriebswerk ${longReference}`,
		description:
			'A description of some length, with a word that is long: Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz.',
		amount: '1234567890.12',
		isFixedAmount: true,
		isTestMode: true,
		paymentPageLinkReference: longReference,
	});
	await addPageToPay(sandbox, {
		pageName: 'Donation',
		isPhoneNumberRequired: true,
		paymentPageLinkReference: 'donation',
	});
	// Nothing answers at the address that was registered.
	await sandbox.pay(longReference);
	sandbox.configure({
		faults: [
			{
				endpoint: 'create',
				kind: 'latency',
				rate: 0.5,
				milliseconds: 1500,
				jitterMilliseconds: 500,
			},
		],
	});
}

describe.each([1280, 390])('in a window of %i pixels', (width) => {
	test.each([
		['the status page', '/', 'Payment pages sandbox'],
		['a page to pay', `/pay/${longReference}`, '1,234,567,890.12'],
		['a page that asks for more', '/pay/donation', 'Phone number'],
		['a page that does not exist', '/pay/nobody', 'Page not found'],
	])('%s can be seen and used in full', async (_what, address, text) => {
		const { sandbox, open } = window();
		await fill(sandbox);
		const page = await open(address, width);
		await page.getByText(text).first().waitFor();
		expect(await misfits(page)).toEqual([]);
	});

	test('what the payer gets to see after that, too', async () => {
		const { sandbox, open } = window();
		await fill(sandbox);
		const page = await open('/pay/donation', width);
		await page.getByLabel('Phone number').fill('+49 30 901820');
		await page.getByLabel('Amount').fill('1,000');
		await page.getByRole('button', { name: 'Pay' }).click();
		await page.getByRole('alert').waitFor();
		expect(await misfits(page)).toEqual([]);

		await page.getByLabel('Amount').fill('1234567890.12');
		await page.getByRole('button', { name: 'Pay' }).click();
		await page.getByRole('status').waitFor();
		expect(await misfits(page)).toEqual([]);
	});

	test('and what is said when a form of the status page asks for too much', async () => {
		const { sandbox, open } = window();
		await fill(sandbox);
		const page = await open('/', width);
		await page.getByLabel('Share of requests, 0 to 1').fill('2');
		await page.getByRole('button', { name: 'Add fault' }).click();
		await page.getByRole('alert').waitFor();
		expect(await misfits(page)).toEqual([]);
	});
});
