import axios from 'axios';
import type { SandboxSettings } from './settings';
import type { DeliveryHeaders } from './signing';
import { type Delivery, remember, type SandboxState } from './state';
import type { Waits } from './waits';

export interface DeliveryOrder
	extends Pick<Delivery, 'kind' | 'url' | 'body'>,
		Partial<Pick<Delivery, 'forgery' | 'paymentPageLinkReference' | 'resendOf'>> {
	/** Makes the headers of one try, so that each try is signed at its own time. */
	headers(now: Date): DeliveryHeaders;
	maximumTries?: number; // tries all together; as the settings say when not given
}

type Work = { delivery: Delivery; order: DeliveryOrder; signal: AbortSignal };

const deliveryLimit = 2_000;
const answerLimit = 2_000; // characters of an answer that the log keeps

function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message || error.name : String(error);
}

/** Sends deliveries in the background, tries failed ones again, and keeps the log. */
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
		const { kind, url, body } = order;
		const { forgery = null, paymentPageLinkReference = null, resendOf = null } = order;
		const delivery: Delivery = {
			id: String(++this.lastId),
			...{ kind, forgery, url, body, paymentPageLinkReference, resendOf },
			createdAt: new Date().toISOString(),
			status: 'waiting',
			tries: [],
		};
		remember(this.state.deliveries, delivery, deliveryLimit);
		const work: Work = { delivery, order, signal: this.waits.signal };
		const firstTry = this.tryOnce(work);
		const all = firstTry.then(() => this.tryAgain(work)).finally(() => this.inProgress.delete(all));
		this.inProgress.add(all);
		return { delivery, firstTry };
	}

	/** Resolves when nothing is in progress and no further try is waiting. */
	async settled(): Promise<void> {
		while (this.inProgress.size > 0) await Promise.all(this.inProgress);
	}

	private async tryAgain(work: Work): Promise<void> {
		const { delivery, order, signal } = work;
		const { retry } = this.settings();
		const maximumTries = order.maximumTries ?? retry.maximumTries;
		while (delivery.status === 'waiting' && delivery.tries.length < maximumTries) {
			const wait = retry.firstWaitMilliseconds * 2 ** (delivery.tries.length - 1);
			if (!(await this.waits.wait(wait, signal))) break;
			await this.tryOnce(work);
		}
		if (delivery.status === 'waiting') delivery.status = 'failed';
	}

	private async tryOnce({ delivery, order, signal }: Work): Promise<void> {
		const start = new Date();
		const headers = order.headers(start);
		const outcome = await axios
			.post<string>(order.url, Buffer.from(order.body), {
				headers: { 'Content-Type': 'application/json', ...headers },
				signal,
				timeout: this.settings().deliveryTimeoutMilliseconds,
				// The answer is logged as it is, whatever it is.
				responseType: 'text',
				transformResponse: (text: string) => text,
				validateStatus: () => true,
				maxRedirects: 0,
				proxy: false,
			})
			.then(
				({ status, data }) => ({ status, answer: data.slice(0, answerLimit), error: null }),
				(error: unknown) => ({ status: null, answer: '', error: reasonOf(error) }),
			);
		const milliseconds = Date.now() - start.getTime();
		delivery.tries.push({ at: start.toISOString(), milliseconds, headers, ...outcome });
		if (String(outcome.status).startsWith('2')) delivery.status = 'delivered';
	}
}
