import axios from 'axios';
import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox';
import { openBrowser, takeScreenshot } from './browser';
import { cleanUp } from './cleanUp';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox();
	cleanUp(() => sandbox.stop());
	browser = await openBrowser();
	cleanUp(() => browser.close());
}, 60_000);

beforeEach(async () => {
	await sandbox.reset();
	page = await browser.newPage({ viewport: { width: 390, height: 780 } });
});

afterEach(() => page.close());

/** Creates a page as the service's clients do, and gives the link that they would pass on. */
async function createPage(fields: Record<string, unknown>): Promise<string> {
	const { merchantId, privateKey } = sandbox.settings;
	// The merchant ID is beyond what JSON.stringify can write without rounding.
	const body = JSON.stringify({ ...fields, merchantId: 0 }).replace(
		'"merchantId":0',
		`"merchantId":${merchantId}`,
	);
	const answer = await axios.post<{ data: { paymentPageLink: string } }>(
		`${sandbox.baseUrl}/PaymentPages/Add`,
		body,
		{ headers: { Authorization: `Bearer ${privateKey}`, 'Content-Type': 'application/json' } },
	);
	return answer.data.data.paymentPageLink;
}

test('lets a payer see what is asked for and pay it', async () => {
	const link = await createPage({
		businessName: 'Café Zoë & Söhne',
		pageName: 'Invoice <b>2024-17</b>',
		description: "Catering for the summer party, Dana O'Neill",
		amount: '149.50',
		isFixedAmount: true,
		paymentPageLinkReference: 'invoice-2024-17',
		successMessage: 'Thank you, see you at the party!',
	});
	await page.goto(link);
	await page.getByRole('heading', { name: 'Invoice <b>2024-17</b>', exact: true }).waitFor();
	await page.getByText('149.50').waitFor();
	await takeScreenshot(page, 'hosted-page');

	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByText('Thank you, see you at the party!').waitFor();
	await takeScreenshot(page, 'hosted-page-paid');
	expect(sandbox.state.payments).toMatchObject([
		{ paymentPageLinkReference: 'invoice-2024-17', amount: 149.5 },
	]);
});

test('asks for the amount and the phone number that a page leaves to the payer', async () => {
	const link = await createPage({
		pageName: 'Donation',
		amount: 20,
		isFixedAmount: false,
		isPhoneNumberRequired: true,
		paymentPageLinkReference: 'donation',
	});
	await page.goto(link);
	await page.getByLabel('Phone number').fill('+49 30 901820');
	await page.getByLabel('Amount').fill('1,000');
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByRole('alert').waitFor();
	await takeScreenshot(page, 'hosted-page-refused');
	expect(sandbox.state.payments).toEqual([]);

	await page.getByLabel('Amount').fill('35.5');
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByText('35.50 paid').waitFor();
	expect(sandbox.state.payments).toMatchObject([{ amount: 35.5, phoneNumber: '+49 30 901820' }]);
});
