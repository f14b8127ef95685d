import axios from 'axios';
import type { Sandbox } from '../../../sandbox';

/** Creates a page as the service's clients do, and gives the link that they would pass on. */
export async function addPageToPay(
	{ baseUrl, settings }: Sandbox,
	fields: Record<string, unknown>,
): Promise<string> {
	// The merchant ID is beyond what JSON.stringify can write without rounding.
	const body = JSON.stringify({ ...fields, merchantId: 0 }).replace(
		'"merchantId":0',
		`"merchantId":${settings.merchantId}`,
	);
	const answer = await axios.post<{ data: { paymentPageLink: string } }>(
		`${baseUrl}/PaymentPages/Add`,
		body,
		{
			headers: {
				Authorization: `Bearer ${settings.privateKey}`,
				'Content-Type': 'application/json',
			},
		},
	);
	return answer.data.data.paymentPageLink;
}
