import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox';
import { cleanUp } from '../support/cleanUp';
import { addPage } from '../support/service';
import { openBrowser, payOpenPage } from './support/browser';

/** The sandbox's pages, filled with what is hard to show: long words, numbers, addresses, failures. */
let sandbox: Sandbox;
let page: Page;

const longReference = 'website-redesign-second-instalment-for-the-harbour-light-studio-2026-0117';
const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

beforeAll(async () => {
	sandbox = await startSandbox();
	cleanUp(() => sandbox.stop());
	page = await (await openBrowser()).newPage();
	const webhookUrl = `${sandbox.url}/webhook/${longReference}?token=${longReference}`;
	const asked = { webhookUrl, requestedUrl: webhookUrl, secret: 'a secret of this test' };
	sandbox.state.registration = { ...asked, merchantId: '1', registeredAt: '2026-11-28T09:15:30Z' };
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
	sandbox.configure({ faults: [{ endpoint: 'create', kind: 'latency', milliseconds: 1500 }] });
}, 60_000);

/** Texts that the window or a box cuts off, unless people can scroll to their rest. */
const cutOff = `(() => {
	const { clientWidth } = document.documentElement;
	const isCut = (element) => {
		const { left, right } = element.getBoundingClientRect();
		const clips = getComputedStyle(element).overflowX !== 'visible';
		return left < 0 || right > clientWidth || (clips && element.scrollWidth > element.clientWidth);
	};
	const texts = document.querySelectorAll('body :not(.scroll, .scroll *, .hidden, .hidden *)');
	return [...texts].filter(isCut).map((each) => each.outerHTML.slice(0, 200));
})()`;

const expectAllSeen = async () => expect(await page.evaluate(cutOff)).toEqual([]);

describe.each([1280, 390])('in a window of %i pixels', (width) => {
	beforeEach(() => page.setViewportSize({ width, height: 780 }));

	test('a page with a fixed amount is shown in full, and paid with one click', async () => {
		await page.goto(`${sandbox.url}/pay/${longReference}`);
		await page.getByRole('heading', { name: `<b>${longWord}</b> ${longReference}` }).waitFor();
		await page.getByText('1,234,567,890.12').first().waitFor();
		await expectAllSeen();
		await payOpenPage(page);
		await page.getByText('Thank you. We have received your payment.').waitFor();
		expect(sandbox.state.payments.at(-1)).toMatchObject({ amount: 1234567890.12 });
	});

	test('a page that asks for more says what is wrong, and takes it once it is right', async () => {
		await page.goto(`${sandbox.url}/pay/donation`);
		await expectAllSeen();
		await page.getByLabel('Phone number').fill('+49 30 901820');
		await page.getByLabel('Amount').fill('1,000');
		await page.getByRole('button', { name: 'Pay' }).click();
		await page.getByRole('alert').waitFor();
		await expectAllSeen();
		await page.getByLabel('Amount').fill('35.5');
		await payOpenPage(page);
		await page.getByText('35.50 paid').waitFor();
		await expectAllSeen();
		const paid = { amount: 35.5, phoneNumber: '+49 30 901820' };
		expect(sandbox.state.payments.at(-1)).toMatchObject(paid);
	});

	test('the status page, what its forms say, and a page that does not exist can be seen in full', async () => {
		await page.goto(sandbox.url);
		await page.getByText('Payment pages sandbox').first().waitFor();
		await expectAllSeen();
		const addFault = async (share: string) => {
			await page.getByLabel('Share of requests, 0 to 1').fill(share);
			await page.getByRole('button', { name: 'Add fault' }).click();
		};
		await addFault('2');
		await page.getByRole('alert').waitFor();
		await expectAllSeen();
		await page.getByRole('link', { name: 'Back to the status page' }).click();
		const rate = width / 10_000;
		await addFault(String(rate));
		await page.getByText(`rate ${rate}`).waitFor();
		expect(sandbox.settings.faults.at(-1)).toEqual({ endpoint: 'create', kind: 'latency', rate });
		await page.goto(`${sandbox.url}/pay/nobody`);
		await page.getByText('Page not found').first().waitFor();
		await expectAllSeen();
	});
});
