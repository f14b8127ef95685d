import type { Delivery, Sandbox } from '../../sandbox';
import { send } from './request';

/** What tests of all kinds ask of the service, as its merchants and payers do. */

/** Creates a page at the service as other clients of it do, and gives the link that they would pass on. */
export async function addPage(
	{ baseUrl, settings }: Sandbox,
	paymentPageLinkReference: string,
	fields: object = { pageName: 'Page', amount: 5 },
): Promise<string> {
	const { merchantId, privateKey } = settings;
	// The merchant ID is beyond what JSON.stringify can write without rounding.
	const rest = JSON.stringify({ ...fields, paymentPageLinkReference }).slice(1);
	const { text } = await send(`${baseUrl}/PaymentPages/Add`, {
		headers: { Authorization: `Bearer ${privateKey}`, 'Content-Type': 'application/json' },
		body: `{"merchantId":${merchantId},${rest}`,
	});
	return (JSON.parse(text) as { data: { paymentPageLink: string } }).data.paymentPageLink;
}

/** The address that is registered; fails when none is. */
export function registeredUrl({ state: { registration } }: Sandbox): string {
	if (!registration) throw new Error('Nothing is registered.');
	return registration.webhookUrl;
}

/** The registrations that the service was asked for, oldest first. */
export function registrations(sandbox: Sandbox): Array<{ webhookUrl: string; secret: string }> {
	return sandbox.state.requests
		.filter(({ url }) => url.endsWith('/RegisterWebhook'))
		.map(({ body }) => JSON.parse(body.toString()) as { webhookUrl: string; secret: string });
}

/** The payments that outputs of the trigger are about, in an order that does not depend on time. */
export function paymentIds(outputs: Array<{ body?: unknown }>): unknown[] {
	return outputs.map(({ body }) => (body as { paymentId?: unknown }).paymentId).sort();
}

/** The IDs of all payments so far, in the same order. */
export const paidIds = ({ state }: Sandbox) => state.payments.map(({ id }) => id).sort();

/** How the first try of a delivery was answered. */
export const firstStatus = (delivery?: Delivery) => delivery?.tries[0]?.status;

/** All that the sandbox sends during `work` goes to one process of n8n, past the reverse proxy. */
export async function deliveringTo<T>(
	sandbox: Sandbox,
	{ url }: { url: string },
	work: () => Promise<T>,
): Promise<T> {
	const webhookUrl = registeredUrl(sandbox);
	const ofProcess = webhookUrl.replace(new URL(webhookUrl).origin, url);
	Object.assign(sandbox.state.registration ?? {}, { webhookUrl: ofProcess });
	try {
		return await work();
	} finally {
		Object.assign(sandbox.state.registration ?? {}, { webhookUrl });
	}
}

/** Pays a page and gives the status with which n8n answered the event, at one process if given. */
export async function payAt(sandbox: Sandbox, reference: string, process?: { url: string }) {
	const pay = () => sandbox.pay(reference);
	const { deliveries } = await (process ? deliveringTo(sandbox, process, pay) : pay());
	return firstStatus(deliveries.find(({ kind }) => kind === 'event'));
}
