import type { SandboxContext } from './context';
import type { DeliveryOrder } from './deliveries';
import { callbackOrder, eventOrder } from './events';
import { NotPossible } from './notPossible';

/**
 * The order to send a delivery again: the same bytes, signed anew, an event to the webhook that is
 * registered now and a callback to its old address.
 */
export function resendOrder(context: SandboxContext, deliveryId: string): DeliveryOrder {
	const delivery = context.state.deliveries.find(({ id }) => id === deliveryId);
	if (!delivery) throw new NotPossible(`There is no delivery ${deliveryId}.`);
	const { kind, url, body, paymentPageLinkReference } = delivery;
	const about = { paymentPageLinkReference, resendOf: delivery.id };
	if (kind === 'callback') return { ...callbackOrder(url, body), ...about };
	if (kind === 'forgery') {
		throw new NotPossible('A forged event cannot be sent again. Send another one.');
	}
	const { registration } = context.state;
	if (!registration)
		throw new NotPossible('No webhook is registered, so nothing can receive the event.');
	return { ...eventOrder(context.settings, registration, body), ...about };
}
