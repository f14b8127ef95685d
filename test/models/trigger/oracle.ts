import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import { logLines } from '../../engine/harness/trigger/log';
import type { StoredExecution } from '../../engine/harness/trigger/n8n';
import {
	signatureHeader,
	proofOf,
	send,
	tokenOf,
	type Answer,
	type Message,
	type Signing,
} from './message';
import { apiKeys, type Registration } from './service';
import { ofEach, type Address, type Credential, type Draft, type Index, type World } from './world';

/** Kinds of proof, weakest first. */
const kinds = ['none', 'token', 'secret', 'signature'] as const;
type Kind = (typeof kinds)[number];

function rank(kind: Kind): number {
	return kinds.indexOf(kind);
}

function stronger(one: Kind, other: Kind): Kind {
	return rank(one) >= rank(other) ? one : other;
}

/** What a message is to a workflow. `either`: the rules allow it to be accepted, and not to be. */
type Standing = 'genuine' | 'forged' | 'either';

interface Sent extends Address {
	standing: Standing;
	/** Whether the published workflow accepts what is not verified. */
	accepts: boolean;
}

/** What a merchant's events should go to. */
interface Target {
	/** Without token, and without a slash at its end. */
	url: string;
	/** undefined when it is derived, in a way that this model does not know. */
	secret: string | undefined;
}

/** What was registered last for a workflow that is published. */
interface Version {
	target: Target;
	credential: Credential;
	secret: string;
	token: string | null;
}

interface Trigger {
	version?: Version;
	/** What n8n runs for it, also while and after it failed to register that. */
	running?: Draft;
	/** All that were ever registered for it, oldest first. */
	versions: Version[];
	isServing: boolean;
	/** What has to be required for sure, and what may be. */
	atLeast: Kind;
	atMost: Kind;
	/** Whether its static data was overwritten since the last restart. */
	isDirty: boolean;
	/** A long execution: how to end it, and what was learned before it began. */
	long?: { end: () => void; atMost: Kind };
}

const newTrigger = { isServing: false, atLeast: 'none', atMost: 'none', isDirty: false } as const;

interface Merchant {
	/** undefined when nobody can say. */
	wanted?: Target | undefined;
	/** All that may be registered, beside what is being tried. */
	asked: Target[];
	tried: Target[];
	isRejected: boolean;
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;

function plain(url: string): string {
	return url.replace(/\?.*$/, '').replace(/\/$/, '');
}

/** Knows what people asked for and what was sent, and from that alone which rules hold. */
export class Oracle {
	readonly triggers = ofEach((): Trigger => ({ ...newTrigger, versions: [] }));
	readonly messages = new Map<string, Message & { sent: Sent[]; accepted: number }>();
	/** What an output called the proof of an event, with how that was signed. */
	readonly proofs = new Map<string, Signing>();
	private readonly merchants = new Map<string, Merchant>();
	/** The last registration that was asked for, by its plain URL. */
	private readonly lastAsked = new Map<string, Registration>();
	/** The keys of each credential that was ever registered; some are derived from it. */
	private readonly derived = new Map<string, { secret: string; token: string | null }>();
	private readonly hidden = new Set(Object.values(apiKeys).flat());
	private readonly answers: string[] = [];
	private broken: Error | undefined;
	private seen = 0;

	constructor(private readonly world: World) {
		world.service.onAsked = (registration) => this.asked(registration);
		world.service.onRejected = ({ merchantId, url }) => {
			const merchant = this.merchant(merchantId);
			if (merchant.wanted?.url === plain(url)) merchant.isRejected = true;
		};
	}

	private merchant(id: string): Merchant {
		const merchant = this.merchants.get(id) ?? { asked: [], tried: [], isRejected: false };
		this.merchants.set(id, merchant);
		return merchant;
	}

	private breaks(rule: string): void {
		this.broken ??= new Error(rule);
	}

	private asked(registration: Registration): void {
		const { merchantId, url, secret } = registration;
		this.lastAsked.set(plain(url), registration);
		this.hidden.add(secret);
		const token = tokenOf({ url });
		if (token !== null) this.hidden.add(token);
		const { asked, tried } = this.merchant(merchantId);
		const isAsked = [...asked, ...tried].some(
			(target) => target.url === plain(url) && (target.secret ?? secret) === secret,
		);
		if (!isAsked) this.breaks(`registered what nobody asks for: ${plain(url)} of ${merchantId}`);
	}

	/** Somebody publishes the draft. @returns how n8n's change ended up */
	async publish(workflow: Index): Promise<void> {
		const { world } = this;
		const trigger = this.triggers[workflow];
		const draft = world.drafts[workflow];
		const credential = this.world.credential(workflow).readable;
		const isFirst = trigger.running === undefined;
		const isRenamed = trigger.running?.name !== draft.name;
		const earlier = trigger.version;
		const last = trigger.versions.at(-1);
		// n8n may call `create` for an unchanged trigger, to add addresses: then nothing new is wanted.
		const isSame = isDeepStrictEqual([trigger.running, earlier?.credential], [draft, credential]);
		if (!isDeepStrictEqual(trigger.running, draft)) this.leave(workflow);
		trigger.running = draft;
		const target: Target = {
			url: world.workflows[workflow].productionUrl,
			secret: credential?.webhookSecret || undefined,
		};
		const merchant = credential && this.merchant(credential.merchantId);
		merchant?.tried.push(target);
		const isEasy = world.service.mode === 'well' && credential !== undefined;
		const published = () => {
			const asked = this.lastAsked.get(target.url);
			if (!credential || !merchant || !asked) {
				this.breaks('published without a registration');
				return;
			}
			trigger.isServing = true;
			if (isSame) return;
			trigger.version = { target, credential, secret: asked.secret, token: tokenOf(asked) };
			this.derived.set(JSON.stringify(credential), trigger.version);
			trigger.versions.push(trigger.version);
			Object.assign(merchant, { wanted: target, asked: [target], isRejected: false });
			const isSameMerchant = last?.credential.merchantId === credential.merchantId;
			if (isFirst || isRenamed || !isSameMerchant) trigger.atLeast = trigger.atMost = 'none';
		};
		const failed = (error: unknown) => {
			this.answers.push(String(error));
			if (isEasy) this.breaks(`publishing failed for no reason: ${String(error)}`);
			trigger.isServing = false;
			delete trigger.version;
		};
		const end = world.workflows[workflow]
			.publish({ tries: 2 })
			.then(published, failed)
			.finally(() => {
				if (merchant) merchant.tried = merchant.tried.filter((other) => other !== target);
			});
		await world.change(workflow, end);
	}

	async unpublish(workflow: Index): Promise<void> {
		const trigger = this.triggers[workflow];
		this.leave(workflow);
		delete trigger.running;
		trigger.isServing = false;
		trigger.atLeast = 'none';
		await this.world.change(workflow, this.world.workflows[workflow].unpublish());
	}

	/** n8n ends what was registered: the fallback URL is wanted, if the address was its own. */
	private leave(workflow: Index): void {
		const trigger = this.triggers[workflow];
		const { version, running } = trigger;
		delete trigger.version;
		if (version === undefined) return;
		const merchant = this.merchant(version.credential.merchantId);
		merchant.asked = merchant.asked.filter((target) => target !== version.target);
		const { wanted } = merchant;
		if (wanted !== undefined && wanted !== version.target) return;
		merchant.wanted = undefined;
		const url = running?.options.fallbackUrl;
		const isAsRegistered = isDeepStrictEqual(
			this.world.credential(workflow).readable,
			version.credential,
		);
		if (url === undefined || !isAsRegistered) return;
		const fallback = { url, secret: version.credential.webhookSecret || undefined };
		merchant.asked.push(fallback);
		if (wanted !== undefined) Object.assign(merchant, { wanted: fallback, isRejected: false });
	}

	/** The processes forget what was wanted; what is published may be noted again by its events. */
	restart(): void {
		for (const merchant of this.merchants.values()) merchant.wanted = undefined;
		for (const trigger of this.triggers) {
			const { version, isDirty } = trigger;
			if (version) this.merchant(version.credential.merchantId).asked.push(version.target);
			if (isDirty) trigger.atLeast = 'none';
			trigger.isDirty = false;
			delete trigger.long;
		}
	}

	/** Old static data is back in the database. */
	overwritten(workflow: Index, atMost: Kind, hasReceivers: boolean): void {
		const trigger = this.triggers[workflow];
		trigger.isDirty = true;
		trigger.atMost = stronger(trigger.atMost, atMost);
		if (hasReceivers) trigger.atLeast = 'none';
	}

	async listen(workflow: Index): Promise<void> {
		const { world } = this;
		const rejected = (error: unknown) => this.answers.push(String(error));
		const end = world.workflows[workflow].listen().catch(rejected);
		await world.change(
			workflow,
			end.then(() => undefined),
		);
	}

	/** Sends it, and checks the answer. */
	async send(message: Message, method?: string): Promise<void> {
		const address = this.world.addressOf(message.url);
		if (address === undefined) return;
		const known = this.messages.get(message.id) ?? { ...message, sent: [], accepted: 0 };
		this.messages.set(message.id, known);
		const { workflow, at } = address;
		const trigger = this.triggers[workflow];
		const before = this.standing(workflow, message);
		const shown = this.kind(message, this.keys(workflow));
		const count = this.runs(message.id).length;
		const answer = await send(message, method);
		const after = this.standing(workflow, message);
		const standing = before === after ? before : 'either';
		const accepts = trigger.running?.options.acceptUnverified === true;
		known.sent.push({ workflow, at, standing, accepts });
		const runs = this.runs(message.id).slice(count);
		const { version } = trigger;
		const isRegistered = isDeepStrictEqual(
			version?.credential,
			this.world.credential(workflow).readable,
		);
		const { world } = this;
		const isUsual = world.isSound && isRegistered && world.hasAllAddresses(workflow);
		this.checkAnswer(known, answer, { at, standing, isUsual });
		if (at !== 'production') return;
		trigger.atMost = stronger(trigger.atMost, shown);
		for (const { verified, verifiedBy } of runs) {
			if (verified !== true || typeof verifiedBy !== 'string') continue;
			this.proofs.set(verifiedBy, message.signing);
			const isPinned = trigger.running?.options.requiredProof !== undefined;
			const kind = kindOf(verifiedBy);
			if (!isPinned && standing !== 'forged') trigger.atLeast = stronger(trigger.atLeast, kind);
		}
	}

	private checkAnswer(
		message: Message & { accepted: number },
		{ status, text }: Answer,
		{ at, standing, isUsual }: Pick<Sent, 'at' | 'standing'> & { isUsual: boolean },
	): void {
		this.answers.push(text);
		const isAccepted = status !== undefined && status >= 200 && status < 300;
		if (isAccepted) message.accepted++;
		if (status === undefined) this.breaks('no answer');
		if (at !== 'production' || standing !== 'genuine') return;
		if (status === 401) this.breaks('a genuine event got 401');
		if (isUsual && !isAccepted) this.breaks(`a genuine event got ${status} without a reason`);
	}

	/** What published workflows gave out for a message. */
	private runs(id: string): IDataObject[] {
		return this.world.n8n.executions
			.filter(({ mode, items }) => mode === 'webhook' && idOf(items[0]?.json) === id)
			.flatMap(({ items }) => items.map(({ json }) => json));
	}

	/** The keys that count for a workflow, and those that may: some are there for a moment only. */
	private keys(workflow: Index): { secrets: string[]; tokens: string[] } {
		const { version } = this.triggers[workflow];
		const asked = this.lastAsked.get(this.world.workflows[workflow].productionUrl);
		const { stored } = this.world.credential(workflow);
		const derived = this.derived.get(JSON.stringify(stored));
		const texts = (...found: unknown[]) =>
			found.filter((text) => typeof text === 'string').filter((text) => text !== '');
		return {
			secrets: texts(version?.secret, asked?.secret, derived?.secret, stored.webhookSecret),
			tokens: texts(version?.token, asked && tokenOf(asked), derived?.token),
		};
	}

	/** The strongest proof in a message. */
	private kind(
		message: Message,
		{ secrets, tokens }: { secrets: string[]; tokens: string[] },
	): Kind {
		const { signing, secret, style } = message;
		const isKnown = secrets.includes(secret);
		if (isKnown && style === 'json') {
			if (signing === 'body') return 'signature';
			if (signing === 'timestamp' && ageOf(message) <= 7 * dayMilliseconds) return 'signature';
		}
		if (isKnown && signing === 'secret') return 'secret';
		return tokens.includes(tokenOf(message) ?? '') ? 'token' : 'none';
	}

	private standing(workflow: Index, message: Message): Standing {
		const { running, version, isServing, atLeast, atMost } = this.triggers[workflow];
		const isChanging = this.world.pending.has(workflow);
		const kind = this.kind(message, this.keys(workflow));
		if (kind === 'none') return 'forged';
		if (isChanging || version === undefined || !isServing) return 'either';
		const sure = this.kind(message, {
			secrets: [version.secret],
			tokens: version.token === null ? [] : [version.token],
		});
		const { requiredProof, toleranceSeconds } = running?.options ?? {};
		if (requiredProof === undefined) {
			if (rank(kind) < rank(atLeast)) return 'forged';
			return sure !== 'none' && rank(sure) >= rank(atMost) ? 'genuine' : 'either';
		}
		const pinned = kindOf(requiredProof);
		if (pinned === 'token') return tokenOf(message) === version.token ? 'genuine' : 'either';
		if (kind !== pinned || this.proofs.get(requiredProof) !== message.signing) return 'forged';
		if (toleranceSeconds !== undefined && message.signing === 'timestamp') {
			const seconds = ageOf(message) / 1_000 - toleranceSeconds;
			if (Math.abs(seconds) < 10) return 'either';
			if (seconds > 0) return 'forged';
		}
		return sure === pinned ? 'genuine' : 'either';
	}

	/** Checks all that can be seen. */
	check(): void {
		const { executions } = this.world.n8n;
		for (const execution of executions.slice(this.seen)) this.checkExecution(execution);
		this.seen = executions.length;
		for (const { id, sent, accepted } of this.messages.values()) {
			const runs = id === '' ? accepted : this.runs(id).length;
			if (runs < accepted) this.breaks('answered 2xx without an execution');
			if (runs > sent.length) this.breaks(`an event ran ${runs} times, sent were ${sent.length}`);
		}
		const staticData = this.world.workflows.map(({ id }) => this.world.n8n.readStaticData(id));
		this.checkHidden('the static data', staticData, this.hidden);
		this.checkHidden('the log', logLines, this.hidden);
		this.checkHidden('an answer', this.answers.splice(0), this.hidden);
		if (this.broken) throw this.broken;
	}

	private checkExecution({ workflowId, mode, items, error, staticData }: StoredExecution): void {
		const { workflows } = this.world;
		const workflow = ([0, 1, 2] as const).find((index) => workflows[index].id === workflowId) ?? 0;
		const json = items[0]?.json ?? {};
		const where = `${mode === 'manual' ? 'a test of workflow' : 'workflow'} ${workflow}`;
		if (error !== undefined) this.breaks(`webhook() threw in ${where}`);
		const message = this.messages.get(idOf(json));
		const sent = message?.sent.filter(
			(one) => one.workflow === workflow && one.at === 'production',
		);
		if (!message || !sent || sent.length === 0) {
			this.breaks(`an event ran in ${where} that nobody sent to its production address`);
			return;
		}
		const isKnown = sent.some(({ standing }) => standing !== 'forged');
		if (!isKnown && json.verified === true) this.breaks(`a forgery ran in ${where} as verified`);
		if (!isKnown && !sent.some(({ accepts }) => accepts)) this.breaks(`a forgery ran in ${where}`);
		const { secrets, tokens } = this.keys(workflow);
		const proof = proofOf(message)[signatureHeader];
		const isProof = proof !== undefined && secrets.includes(message.secret);
		const hidden = [...secrets, ...tokens, ...(isProof ? [proof] : [])];
		this.checkHidden(`an execution of ${where}`, [items, staticData], hidden);
	}

	private checkHidden(where: string, what: unknown, hidden: Iterable<string>): void {
		const text = JSON.stringify(what);
		for (const secret of hidden) if (text.includes(secret)) this.breaks(`${where} shows a secret`);
	}

	/** What is wanted of a merchant's address, and whether it is there; nothing when nobody can say. */
	isAsWanted(merchantId: string): boolean {
		const { wanted, isRejected } = this.merchant(merchantId);
		if (wanted === undefined || isRejected) return true;
		const registered = this.world.service.registered.get(merchantId);
		if (registered === undefined || plain(registered.url) !== wanted.url) return false;
		return (wanted.secret ?? registered.secret) === registered.secret;
	}

	/** All is quiet: what was wanted last has to be there. */
	checkCalm(): void {
		for (const merchantId of this.merchants.keys()) {
			if (!this.isAsWanted(merchantId)) {
				const { url } = this.world.service.registered.get(merchantId) ?? { url: 'nothing' };
				const wanted = this.merchant(merchantId).wanted?.url;
				this.breaks(`merchant ${merchantId} has ${plain(url)}, wanted was ${String(wanted)}`);
			}
		}
		this.check();
	}
}

function idOf(json: IDataObject | undefined): string {
	const { body, query } = (json ?? {}) as Record<string, { id?: string } | undefined>;
	return body?.id ?? query?.id ?? '';
}

function kindOf(verifiedBy: string): Kind {
	if (verifiedBy.startsWith('signature')) return 'signature';
	return verifiedBy.startsWith('secret') ? 'secret' : 'token';
}

function ageOf({ signedAt }: Message): number {
	return Math.abs(Date.now() - signedAt);
}
