import { addPageToPay } from './support/payablePage';
import { useSandboxWindow } from './support/sandboxWindow';

const window = useSandboxWindow();

test('lets a payer see what is asked for and pay it', async () => {
	const { sandbox, open } = window();
	const link = await addPageToPay(sandbox, {
		businessName: 'Harbour Light Studio',
		pageName: 'Website redesign <2nd draft>',
		description: "Second instalment, ordered by Dana O'Neill",
		amount: '149.50',
		isFixedAmount: true,
		isTestMode: true,
		paymentPageLinkReference: 'inv-2026-0117',
		successMessage: 'Thank you. We have received your payment.',
	});
	const page = await open(link, 480);
	await page.getByRole('heading', { name: 'Website redesign <2nd draft>', exact: true }).waitFor();
	await page.getByText('149.50').waitFor();
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByText('Thank you. We have received your payment.').waitFor();
	expect(sandbox.state.payments).toMatchObject([
		{ paymentPageLinkReference: 'inv-2026-0117', amount: 149.5 },
	]);
});

test('asks for the amount and the phone number that a page leaves to the payer', async () => {
	const { sandbox, open } = window();
	const link = await addPageToPay(sandbox, {
		pageName: 'Donation',
		amount: 20,
		isFixedAmount: false,
		isPhoneNumberRequired: true,
		paymentPageLinkReference: 'donation',
	});
	const page = await open(link, 390);
	await page.getByLabel('Phone number').fill('+49 30 901820');
	await page.getByLabel('Amount').fill('1,000');
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByRole('alert').waitFor();
	expect(sandbox.state.payments).toEqual([]);

	await page.getByLabel('Amount').fill('35.5');
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByText('35.50 paid').waitFor();
	expect(sandbox.state.payments).toMatchObject([{ amount: 35.5, phoneNumber: '+49 30 901820' }]);
});
