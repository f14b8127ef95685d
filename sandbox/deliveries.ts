import axios from 'axios';
import type { SandboxSettings } from './settings';
import type { DeliveryHeaders } from './signing';
import { type Delivery, type DeliveryTry, remember, type SandboxState } from './state';
import type { Waits } from './waits';

export interface DeliveryOrder
	extends Pick<Delivery, 'kind' | 'url' | 'body'>,
		Partial<Pick<Delivery, 'forgery' | 'paymentPageLinkReference' | 'resendOf'>> {
	/** Makes the headers of one try, so that each try is signed at its own time. */
	headers(now: Date): DeliveryHeaders;
	/** Tries all together; as the settings say when not given. */
	maximumTries?: number;
}

const deliveryLimit = 2_000;
/** Characters of an answer that the log keeps. */
const answerLimit = 2_000;

/**
 * Sends deliveries in the background, tries failed ones again, and keeps the log. Interrupting the
 * waits ends every delivery that is in progress.
 */
export class DeliveryService {
	private readonly inProgress = new Set<Promise<void>>();
	private lastId = 0;

	constructor(
		private readonly settings: () => SandboxSettings,
		private readonly state: SandboxState,
		private readonly waits: Waits,
	) {}

	/** Starts a delivery. `firstTry` ends after its first answer or failure, whatever it was. */
	send(order: DeliveryOrder): { delivery: Delivery; firstTry: Promise<void> } {
		const { kind, url, body, forgery, paymentPageLinkReference, resendOf } = order;
		const delivery: Delivery = {
			id: String(++this.lastId),
			kind,
			forgery: forgery ?? null,
			url,
			body,
			paymentPageLinkReference: paymentPageLinkReference ?? null,
			resendOf: resendOf ?? null,
			createdAt: new Date().toISOString(),
			status: 'waiting',
			tries: [],
		};
		remember(this.state.deliveries, delivery, deliveryLimit);
		const { signal } = this.waits;
		const firstTry = this.tryOnce(delivery, order, signal);
		const work = firstTry
			.then(() => this.tryAgain(delivery, order, signal))
			.finally(() => this.inProgress.delete(work));
		this.inProgress.add(work);
		return { delivery, firstTry };
	}

	/** Resolves when nothing is in progress and no further try is waiting. */
	async settled(): Promise<void> {
		while (this.inProgress.size > 0) await Promise.all(this.inProgress);
	}

	private async tryAgain(
		delivery: Delivery,
		order: DeliveryOrder,
		signal: AbortSignal,
	): Promise<void> {
		const { retry } = this.settings();
		const maximumTries = order.maximumTries ?? retry.maximumTries;
		while (delivery.status === 'waiting' && delivery.tries.length < maximumTries) {
			const wait = retry.firstWaitMilliseconds * 2 ** (delivery.tries.length - 1);
			if (!(await this.waits.wait(wait, signal))) break;
			await this.tryOnce(delivery, order, signal);
		}
		if (delivery.status === 'waiting') delivery.status = 'failed';
	}

	private async tryOnce(
		delivery: Delivery,
		order: DeliveryOrder,
		signal: AbortSignal,
	): Promise<void> {
		const start = new Date();
		let headers: DeliveryHeaders = {};
		let outcome: Pick<DeliveryTry, 'status' | 'answer' | 'error'>;
		try {
			headers = order.headers(start);
			const response = await axios.post<string>(order.url, Buffer.from(order.body), {
				headers: { 'Content-Type': 'application/json', ...headers },
				signal,
				timeout: this.settings().deliveryTimeoutMilliseconds,
				// The answer is logged as it is, whatever it is.
				responseType: 'text',
				transformResponse: (text: string) => text,
				validateStatus: () => true,
				maxRedirects: 0,
				proxy: false,
			});
			const answer = response.data.slice(0, answerLimit);
			outcome = { status: response.status, answer, error: null };
		} catch (error) {
			const reason = error instanceof Error ? error.message || error.name : String(error);
			outcome = { status: null, answer: '', error: reason };
		}
		const milliseconds = Date.now() - start.getTime();
		delivery.tries.push({ at: start.toISOString(), milliseconds, headers, ...outcome });
		const { status } = outcome;
		if (status !== null && status >= 200 && status < 300) delivery.status = 'delivered';
	}
}
