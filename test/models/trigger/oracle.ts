import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import { logLines } from '../../engine/harness/trigger/log';
import type { StoredExecution } from '../../engine/harness/trigger/n8n';
import {
	apiKeys,
	plain,
	proofOf,
	sendMessage,
	signatureHeader,
	tokenOf,
	type Message,
	type Registration,
} from './service';
import {
	credentialIds,
	ofEach,
	type Address,
	type Credential,
	type Draft,
	type Index,
	type World,
} from './world';

/** Kinds of proof, weakest first. */
const kinds = ['none', 'token', 'secret', 'signature'] as const;
type Kind = (typeof kinds)[number];

const rank = (kind: Kind) => kinds.indexOf(kind);
const stronger = (one: Kind, other: Kind) => (rank(one) >= rank(other) ? one : other);
const kindOf = (verifiedBy: string) => kinds.find((kind) => verifiedBy.startsWith(kind)) ?? 'token';

/** What a message is to a workflow. `either`: the rules allow it to be accepted, and not to be. */
type Standing = 'genuine' | 'forged' | 'either';

interface Sent extends Address {
	standing: Standing;
	accepts: boolean; // whether the published workflow accepts what is not verified
}

/** What a merchant's events should go to. */
interface Target {
	url: string; // without token, and without a slash at its end
	secret: string | undefined; // when it is derived, this model does not know it
}

type Keys = Pick<Message, 'secret'> & { token: string | undefined };

/** What was registered last for a workflow that is published. */
interface Version extends Keys {
	target: Target;
	credential: Credential;
}

interface Trigger {
	version?: Version;
	running?: Draft; // what n8n runs for it, also while and after it failed to register that
	versions: Version[]; // all that were ever registered for it, oldest first
	isServing: boolean;
	atLeast: Kind; // what has to be required for sure, and what may be
	atMost: Kind;
	meanwhile: Kind; // shown since somebody began to publish it last
	isDirty: boolean; // whether its static data was overwritten since the last restart
	long?: { end: () => void; atMost: Kind }; // an execution, and what was learned before it began
}

function newTrigger(): Trigger {
	const none = { atLeast: 'none', atMost: 'none', meanwhile: 'none' } as const;
	return { versions: [], isServing: false, isDirty: false, ...none };
}

interface Merchant {
	wanted?: Target | undefined; // undefined when nobody can say
	asked: Target[]; // all that may be registered, beside what is being tried
	tried: Target[];
	isRejected: boolean;
}

/** Knows what people asked for and what was sent, and from that alone which rules hold. */
export class Oracle {
	readonly triggers = ofEach(newTrigger);
	readonly messages = new Map<string, Message & { sent: Sent[]; accepted: number }>();
	readonly proofs = new Map<string, Message['signing']>(); // by the name that an output gave them
	private readonly merchants = new Map<string, Merchant>();
	private readonly lastAsked = new Map<string, Registration>(); // by its plain URL
	private readonly derived = new Map<string, Keys>(); // by the credential that was registered
	private readonly hidden = new Set(Object.values(apiKeys).flat());
	private readonly answers: string[] = [];
	private broken: Error | undefined;
	private seen = 0;

	constructor(readonly world: World) {
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

	private rule(holds: boolean, broken: string): void {
		if (!holds) this.broken ??= new Error(broken);
	}

	private asked(registration: Registration): void {
		const { merchantId, url, secret } = registration;
		this.lastAsked.set(plain(url), registration);
		for (const key of [secret, tokenOf(registration)]) if (key !== undefined) this.hidden.add(key);
		const { asked, tried } = this.merchant(merchantId);
		const isAsked = [...asked, ...tried].some(
			(target) => target.url === plain(url) && (target.secret ?? secret) === secret,
		);
		this.rule(isAsked, `registered what nobody asks for: ${plain(url)} of ${merchantId}`);
	}

	/** Somebody publishes the draft. */
	async publish(workflow: Index): Promise<void> {
		const { world } = this;
		const trigger = this.triggers[workflow];
		const { running, version: earlier } = trigger;
		const draft = world.drafts[workflow];
		const credential = world.credentialOf(workflow);
		// n8n may call `create` for an unchanged trigger, to add addresses: then nothing new is wanted.
		const isSame = isDeepStrictEqual([running, earlier?.credential], [draft, credential]);
		if (!isDeepStrictEqual(running, draft)) this.leave(workflow);
		trigger.running = draft;
		trigger.meanwhile = 'none';
		const target = targetOf(world.workflows[workflow].productionUrl, credential);
		const merchant = credential && this.merchant(credential.merchantId);
		merchant?.tried.push(target);
		const isEasy = world.service.mode === 'well' && credential !== undefined;
		const published = () => {
			const asked = this.lastAsked.get(target.url);
			this.rule(asked !== undefined, 'published without a registration');
			if (!credential || !merchant || !asked) return;
			trigger.isServing = true;
			if (isSame) return;
			const { merchantId } = credential;
			const isAnother = trigger.versions.at(-1)?.credential.merchantId !== merchantId;
			if (running?.name !== draft.name || isAnother) {
				Object.assign(trigger, { atLeast: 'none', atMost: trigger.meanwhile });
			}
			trigger.version = { target, credential, secret: asked.secret, token: tokenOf(asked) };
			const source = JSON.stringify(credential);
			// An address for which a signature is required has no token; another one had it.
			const { secret, token = this.derived.get(source)?.token } = trigger.version;
			this.derived.set(source, { secret, token });
			trigger.versions.push(trigger.version);
			Object.assign(merchant, { wanted: target, asked: [target], isRejected: false });
		};
		const failed = (error: unknown) => {
			this.answers.push(String(error));
			this.rule(!isEasy, `publishing failed for no reason: ${String(error)}`);
			trigger.isServing = false;
			delete trigger.version;
		};
		const end = world.workflows[workflow]
			.publish({ tries: 2 })
			.then(published, failed)
			.finally(() => merchant?.tried.splice(merchant.tried.indexOf(target), 1));
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
		if (url === undefined || !this.isRegistered(workflow, version)) return;
		const fallback = targetOf(url, version.credential);
		merchant.asked.push(fallback);
		if (wanted !== undefined) Object.assign(merchant, { wanted: fallback, isRejected: false });
	}

	/** Whether the credential can be read, and is the one that was registered. */
	private isRegistered(workflow: Index, version: Version | undefined): boolean {
		return isDeepStrictEqual(this.world.credentialOf(workflow), version?.credential);
	}

	/** The processes forget what was wanted; what is published may be noted again by its events. */
	restart(receivers: number): void {
		this.world.restart(receivers);
		for (const merchant of this.merchants.values()) merchant.wanted = undefined;
		for (const trigger of this.triggers) {
			const { version, isDirty } = trigger;
			if (version) this.merchant(version.credential.merchantId).asked.push(version.target);
			if (isDirty) trigger.atLeast = 'none';
			trigger.isDirty = false;
			delete trigger.long;
		}
	}

	beginLong(workflow: Index): void {
		const trigger = this.triggers[workflow];
		const { n8n, workflows } = this.world;
		const end = n8n.beginLongExecution(workflows[workflow].id);
		if (trigger.isServing) trigger.long ??= { end, atMost: trigger.atMost };
	}

	/** A long execution ends: old static data is back in the database. */
	endLong(workflow: Index): void {
		const trigger = this.triggers[workflow];
		if (!trigger.long) return;
		trigger.long.end();
		trigger.isDirty = true;
		trigger.atMost = stronger(trigger.atMost, trigger.long.atMost);
		if (this.world.receivers > 0) trigger.atLeast = 'none';
		delete trigger.long;
	}

	async listen(workflow: Index): Promise<void> {
		const listening = this.world.workflows[workflow].listen();
		const end = listening.catch((error: unknown) => void this.answers.push(String(error)));
		await this.world.change(workflow, end);
	}

	/** Sends it, and checks the answer. */
	async send(message: Message | undefined): Promise<void> {
		const { world } = this;
		const address = message && world.addressOf(message.url);
		if (!message || !address) return;
		const known = this.messages.get(message.id) ?? { ...message, sent: [], accepted: 0 };
		this.messages.set(message.id, known);
		const { workflow, at } = address;
		const trigger = this.triggers[workflow];
		const before = this.standing(workflow, message);
		const shown = kindIn(message, this.keys(workflow));
		const count = this.runs(message.id).length;
		const { status, text } = await sendMessage(message);
		const standing = before === this.standing(workflow, message) ? before : 'either';
		const { acceptUnverified: accepts = false, requiredProof } = trigger.running?.options ?? {};
		known.sent.push({ ...address, standing, accepts });
		this.answers.push(text);
		const isAccepted = status !== undefined && status >= 200 && status < 300;
		if (isAccepted) known.accepted++;
		this.rule(status !== undefined, 'no answer');
		if (at !== 'production') return;
		if (standing === 'genuine') {
			this.rule(status !== 401, 'a genuine event got 401');
			const isUsual = world.isSound && world.hasAllAddresses(workflow);
			const isCurrent = this.isRegistered(workflow, trigger.version);
			const isRight = isAccepted || !isUsual || !isCurrent;
			this.rule(isRight, `a genuine event got ${status} without a reason`);
		}
		trigger.atMost = stronger(trigger.atMost, shown);
		trigger.meanwhile = stronger(trigger.meanwhile, shown);
		for (const { verified, verifiedBy } of this.runs(message.id).slice(count)) {
			if (verified !== true || typeof verifiedBy !== 'string') continue;
			this.proofs.set(verifiedBy, message.signing);
			const teaches = requiredProof === undefined && standing !== 'forged';
			if (teaches) trigger.atLeast = stronger(trigger.atLeast, kindOf(verifiedBy));
		}
	}

	/** What published workflows gave out for a message. */
	private runs(id: string): IDataObject[] {
		return this.world.n8n.executions
			.filter(({ mode, items }) => mode === 'webhook' && idOf(items[0]?.json) === id)
			.flatMap(({ items }) => items.map(({ json }) => json));
	}

	/** The keys that count for a workflow, and those that may: some are there for a moment only. */
	private keys(workflow: Index): Array<Partial<Keys>> {
		const asked = this.lastAsked.get(this.world.workflows[workflow].productionUrl);
		const stored = this.world.stored(credentialIds[workflow]);
		return [
			this.triggers[workflow].version,
			asked && { secret: asked.secret, token: tokenOf(asked) },
			this.derived.get(JSON.stringify(stored)),
			{ secret: stored.webhookSecret },
		].filter((keys) => keys !== undefined);
	}

	private standing(workflow: Index, message: Message): Standing {
		const { running, version, isServing, atLeast, atMost } = this.triggers[workflow];
		const kind = kindIn(message, this.keys(workflow));
		if (kind === 'none') return 'forged';
		if (this.world.pending.has(workflow) || version === undefined || !isServing) return 'either';
		const sure = kindIn(message, [version]);
		const { requiredProof, toleranceSeconds = Infinity } = running?.options ?? {};
		if (requiredProof === undefined) {
			if (rank(kind) < rank(atLeast)) return 'forged';
			return sure !== 'none' && rank(sure) >= rank(atMost) ? 'genuine' : 'either';
		}
		const pinned = kindOf(requiredProof);
		if (pinned === 'token') return tokenOf(message) === version.token ? 'genuine' : 'either';
		if (kind !== pinned || this.proofs.get(requiredProof) !== message.signing) return 'forged';
		if (message.signing === 'timestamp') {
			const seconds = ageOf(message) / 1_000 - toleranceSeconds;
			if (Math.abs(seconds) < 10) return 'either';
			if (seconds > 0) return 'forged';
		}
		return sure === pinned ? 'genuine' : 'either';
	}

	/** Checks all that can be seen. */
	check(): void {
		const { world } = this;
		const { executions } = world.n8n;
		for (const execution of executions.slice(this.seen)) this.checkExecution(execution);
		this.seen = executions.length;
		for (const { id, sent, accepted } of this.messages.values()) {
			const runs = this.runs(id).length;
			this.rule(runs >= accepted, 'answered 2xx without an execution');
			this.rule(runs <= sent.length, `an event ran ${runs} times, sent were ${sent.length}`);
		}
		const staticData = world.workflows.map(({ id }) => world.n8n.readStaticData(id));
		this.checkHidden('the static data', staticData, this.hidden);
		this.checkHidden('the log', logLines, this.hidden);
		this.checkHidden('an answer', this.answers.splice(0), this.hidden);
		if (this.broken) throw this.broken;
	}

	private checkExecution({ workflowId, mode, items, error, staticData }: StoredExecution): void {
		const { workflows } = this.world;
		const workflow = ([0, 1, 2] as const).find((index) => workflows[index].id === workflowId) ?? 0;
		const json = items[0]?.json;
		const where = `${mode === 'manual' ? 'a test of workflow' : 'workflow'} ${workflow}`;
		this.rule(error === undefined, `webhook() threw in ${where}`);
		const message = this.messages.get(idOf(json));
		const isHere = (one: Sent) => one.workflow === workflow && one.at === 'production';
		const sent = message?.sent.filter(isHere) ?? [];
		this.rule(sent.length > 0, `an event ran in ${where} that nobody sent to production`);
		if (!message) return;
		const isKnown = sent.some(({ standing }) => standing !== 'forged');
		this.rule(isKnown || json?.verified !== true, `a forgery ran in ${where} as verified`);
		this.rule(isKnown || sent.some(({ accepts }) => accepts), `a forgery ran in ${where}`);
		const keys = this.keys(workflow);
		const isProved = keys.some(({ secret }) => secret === message.secret);
		const proof = isProved ? proofOf(message)[signatureHeader] : undefined;
		const hidden = [...keys.flatMap(({ secret, token }) => [secret, token]), proof];
		this.checkHidden(`an execution of ${where}`, [items, staticData], hidden);
	}

	private checkHidden(where: string, what: unknown, hidden: Iterable<string | undefined>): void {
		const text = JSON.stringify(what);
		const isShown = [...hidden].some((secret) => Boolean(secret) && text.includes(String(secret)));
		this.rule(!isShown, `${where} shows a secret`);
	}

	/** Whether what is wanted of a merchant's address is there; yes when nobody can say. */
	isAsWanted(merchantId: string): boolean {
		const { wanted, isRejected } = this.merchant(merchantId);
		if (wanted === undefined || isRejected) return true;
		const registered = this.world.service.registered.get(merchantId);
		if (registered === undefined || plain(registered.url) !== wanted.url) return false;
		return (wanted.secret ?? registered.secret) === registered.secret;
	}

	/** All is quiet: what was wanted last has to be there. */
	checkCalm(): void {
		for (const [merchantId, { wanted }] of this.merchants) {
			const { url } = this.world.service.registered.get(merchantId) ?? { url: 'nothing' };
			const told = `merchant ${merchantId} has ${plain(url)}, wanted was ${wanted?.url}`;
			this.rule(this.isAsWanted(merchantId), told);
		}
		this.check();
	}
}

const ageOf = ({ signedAt }: Message) => Math.abs(Date.now() - signedAt);

function targetOf(url: string, credential: Credential | undefined): Target {
	return { url, secret: credential?.webhookSecret || undefined };
}

/** The strongest proof in a message. */
function kindIn(message: Message, keys: Array<Partial<Keys>>): Kind {
	const { signing, style } = message;
	const isKnown = message.secret !== '' && keys.some(({ secret }) => secret === message.secret);
	const isRecent = signing !== 'timestamp' || ageOf(message) <= 7 * 24 * 60 * 60 * 1_000;
	const isSigned = signing === 'body' || signing === 'timestamp';
	if (isKnown && isSigned && isRecent && style === 'json') return 'signature';
	if (isKnown && signing === 'secret') return 'secret';
	const own = tokenOf(message);
	return own !== undefined && keys.some(({ token }) => token === own) ? 'token' : 'none';
}

function idOf(json: IDataObject | undefined): string {
	const { body, query } = (json ?? {}) as Record<string, { id?: string } | undefined>;
	return body?.id ?? query?.id ?? '';
}
