import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as realTime } from 'node:timers/promises';
import { sleep } from 'n8n-workflow';

/** Where Node.js tells of each request, before it is sent. */
const sentChannel = 'http.client.request.created';

const quietTurns = 5; // so many without a request: nothing goes on but sleep

/** All but `Date`: sockets and n8n's own time-outs need real time. */
const realTimers =
	'hrtime nextTick performance queueMicrotask setImmediate clearImmediate setInterval clearInterval setTimeout clearTimeout';

/** A clock that goes when it is told to, so that minutes pass in no time. `Date` goes with it. */
export class ManualClock {
	countHeld: () => number = () => 0; // requests that a test keeps from being answered
	private underWay = 0; // requests that were sent, arrived or not, and have not ended
	private sleepers: Array<{ at: number; wake: () => void }> = [];
	private isStopped = false;

	/** It starts at the real time. */
	constructor(private now = Date.now()) {
		jest.useFakeTimers({ doNotFake: realTimers.split(' ') as FakeableAPI[], now });
		subscribe(sentChannel, this.noteSent);
	}

	stop(): void {
		this.isStopped = true;
		unsubscribe(sentChannel, this.noteSent);
		jest.useRealTimers();
	}

	private readonly noteSent = (message: unknown): void => {
		this.underWay++;
		(message as { request: ClientRequest }).request.once('close', () => this.underWay--);
	};

	private readonly isBusy = (): boolean => this.underWay > this.countHeld();

	/** @param milliseconds with 0, what was started before goes first, and that takes no time */
	async sleep(milliseconds: number): Promise<void> {
		const at = this.now + milliseconds;
		if (milliseconds <= 0) await sleep(0);
		else await new Promise<void>((wake) => this.sleepers.push({ at, wake }));
	}

	/** Milliseconds until the next one wakes; endless when nobody sleeps. */
	private get untilNext(): number {
		return Math.min(...this.sleepers.map(({ at }) => at)) - this.now;
	}

	/** Time passes, and what it wakes goes on until no request is under way. */
	async pass(milliseconds: number): Promise<void> {
		this.now += milliseconds;
		jest.setSystemTime(this.now);
		const due = this.sleepers.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at);
		this.sleepers = this.sleepers.filter((sleeper) => !due.includes(sleeper));
		for (const { wake } of due) wake();
		for (let turns = 0; turns < 2; turns++) {
			await realTime(1);
			while (this.isBusy()) await realTime(1);
		}
	}

	/** Waits for something; what it sleeps for passes. It waits no longer once all requests are held. */
	async passUntil(something: Promise<unknown>): Promise<void> {
		const state = { isOver: false };
		const end = () => void (state.isOver = true);
		void something.then(end, end);
		for (let quiet = 0; !state.isOver && !this.isStopped; quiet++) {
			await realTime(1);
			if (this.isBusy()) quiet = 0;
			if (quiet < quietTurns) continue;
			if (this.countHeld() > 0) return;
			if (this.sleepers.length > 0) await this.pass(this.untilNext);
		}
	}

	/** Lets time pass until something is so. */
	async until(isSo: () => boolean): Promise<void> {
		const deadline = performance.now() + 20_000;
		for (let turns = 0; !isSo(); turns++) {
			const isQuiet = turns >= quietTurns && this.sleepers.length > 0;
			await this.pass(isQuiet ? this.untilNext : 0);
			if (performance.now() > deadline) throw new Error(`Waited in vain until ${String(isSo)}`);
		}
	}
}
