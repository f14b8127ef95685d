import { createHmac } from 'node:crypto';

/** How an event's id looks, for JavaScript and PostgreSQL alike. */
export const idPattern = 'evt_[0-9]{24}';

/** An event of about 1 KB of JSON, as a payment event may look; no other number has its id. */
export function eventBody(number = 0): string {
	return JSON.stringify({
		event: 'payment.completed',
		id: `evt_${String(number).padStart(24, '0')}`,
		createdAt: '2026-01-15T09:30:00.000Z',
		payment: {
			id: 'pay_000000000000000000000001',
			amount: 149.9,
			paidAt: '2026-01-15T09:29:58.000Z',
			payer: { name: 'Zoë O’Hara', email: 'zoe.ohara@customer.example', phone: '+44 20 7946 0958' },
		},
		page: {
			id: 4711,
			pageName: 'Invoice 2026-0142',
			paymentPageLinkReference: 'invoice-2026-0142',
			description: 'Consulting in December, two days on site, travel included. '.repeat(6),
			isFixedAmount: true,
			isTestMode: false,
		},
		lines: [1, 2, 3].map((line) => ({ line, text: 'One hour', quantity: 2, price: 24.98 })),
	});
}

/** HMAC-SHA256 over an event, in hex. */
export function signatureOf(secret: string, body: string): string {
	return createHmac('sha256', secret).update(body).digest('hex');
}
