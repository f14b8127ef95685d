import fc from 'fast-check';

import { signatureHeader, signings, styles, type Message } from './message';
import type { Oracle } from './oracle';
import { apiKeys, echoOf, serviceModes } from './service';
import { parts, type Address, type Index, type Options, type World } from './world';

const workflow = fc.constantFrom<Index[]>(0, 0, 0, 1, 1, 2);
const merchant = fc.constantFrom('7', '7', '7', '8');
const address = { workflow, at: fc.constantFrom('production', 'production', 'test') };
const style = fc.constantFrom(...styles, 'json', 'json', 'json', 'json');
const signing = fc.constantFrom(...signings);
const seconds = fc.constantFrom(10, 120, 600);
const days = fc.constantFrom(0, 0, 0, 0, 0.007, 2, 8);
const flag = fc.boolean();
const part = fc.constantFrom(...parts);
const optionNames = [
	'acceptUnverified',
	'fallbackUrl',
	'requiredProof',
	'toleranceSeconds',
] as const;

/** What a stranger may know. A token that leaked proves nothing once there is something stronger. */
const forgeries = ['nothing', 'leakedToken', 'foreignToken', 'oldSecret', 'changedCopy'] as const;

/** What can happen, how often, and to whom. */
const kinds = {
	publish: [12, { workflow }],
	edit: [7, { workflow, option: fc.constantFrom('none', ...optionNames), isPublished: flag }],
	rename: [1, { workflow }],
	unpublish: [4, { workflow }],
	listen: [4, { workflow }],
	stop: [1, { workflow }],
	restart: [3, { receivers: fc.constantFrom(0, 0, 2) }],
	rotate: [
		4,
		{
			credential: fc.constantFrom('a', 'a', 'b'),
			what: fc.constantFrom('secret', 'secret', 'key', 'merchant'),
		},
	],
	service: [6, { mode: fc.constantFrom('well', 'cuts', ...serviceModes) }],
	sign: [4, { signing }],
	break: [3, { part }],
	mend: [3, { part }],
	beginLong: [5, { workflow }],
	endLong: [5, { workflow }],
	wait: [2, { seconds }],
	calm: [4, {}],
	pay: [16, { merchant, days, style }],
	burst: [2, { merchant }],
	repeat: [4, { back: fc.nat(3), isSignedAnew: flag }],
	stray: [4, { from: workflow, hasToken: flag, ...address }],
	forge: [12, { how: fc.constantFrom(...forgeries, 'leakedToken'), signing, style }],
	probe: [2, { method: fc.constantFrom('GET', 'HEAD', 'POST'), hasToken: flag, ...address }],
} as const;

type Kinds = typeof kinds;
type Drawn<Arbitraries> = {
	[Key in keyof Arbitraries]: Arbitraries[Key] extends fc.Arbitrary<infer Value> ? Value : never;
};
type StepOf<Kind extends keyof Kinds> = Kind extends unknown
	? { do: Kind } & Drawn<Kinds[Kind][1]>
	: never;

/** One thing that happens; one that makes no sense at its time is left out. */
export type Step = StepOf<keyof Kinds>;

const anySteps = fc.array(
	fc.oneof(
		...Object.entries(kinds).map(([kind, [weight, more]]) => ({
			weight,
			arbitrary: fc.record({ do: fc.constant(kind), ...more }, { noNullPrototype: true }),
		})),
	) as unknown as fc.Arbitrary<Step>,
	{ maxLength: 80, size: 'max' },
);

/** In each run, some of these never happen: where everything happens, one trouble hides another. */
const leftOut = fc.subarray<Step['do']>([
	'break',
	'listen',
	'rename',
	'restart',
	'rotate',
	'service',
	'sign',
	'stray',
	'unpublish',
	'wait',
]);

export const steps: fc.Arbitrary<Step[]> = fc
	.tuple(anySteps, leftOut)
	.map(([all, kinds]) => all.filter((step) => !kinds.includes(step.do)));

/** Lets one step happen. */
export async function take(world: World, oracle: Oracle, step: Step): Promise<void> {
	const { n8n, service } = world;
	if ('workflow' in step && world.pending.has(step.workflow)) return;
	switch (step.do) {
		case 'publish':
			await publish(world, oracle, step.workflow);
			break;
		case 'unpublish':
			if (oracle.triggers[step.workflow].running) await oracle.unpublish(step.workflow);
			break;
		case 'rename':
			world.edit(step.workflow, { name: `${world.drafts[step.workflow].name} 2` });
			break;
		case 'edit':
			world.edit(step.workflow, { options: changedOptions(world, oracle, step) });
			if (step.isPublished) await publish(world, oracle, step.workflow);
			break;
		case 'listen':
			if (!world.workflows[step.workflow].isListening) await oracle.listen(step.workflow);
			break;
		case 'stop':
			await world.change(step.workflow, world.workflows[step.workflow].endListen());
			break;
		case 'restart':
			if (world.pending.size > 0 || service.countHeld() > 0) break;
			n8n.restart({ receivers: step.receivers });
			world.receivers = step.receivers;
			oracle.restart();
			break;
		case 'rotate':
			// A change under way would meet both.
			if (world.pending.size === 0) rotate(world, step);
			break;
		case 'service':
			service.setMode(step.mode);
			break;
		case 'sign':
			world.signing = step.signing;
			break;
		case 'break':
		case 'mend':
			world.setPart(step.part, step.do === 'mend');
			break;
		case 'beginLong': {
			const { atMost } = oracle.triggers[step.workflow];
			const end = n8n.beginLongExecution(world.workflows[step.workflow].id);
			if (oracle.triggers[step.workflow].isServing) {
				oracle.triggers[step.workflow].long ??= { end, atMost };
			}
			break;
		}
		case 'endLong': {
			const { long } = oracle.triggers[step.workflow];
			long?.end();
			if (long) oracle.overwritten(step.workflow, long.atMost, world.receivers > 0);
			delete oracle.triggers[step.workflow].long;
			break;
		}
		case 'wait':
			await n8n.clock.pass(step.seconds * 1_000);
			break;
		case 'burst': {
			const pay = { ...step, do: 'pay', days: 0, style: 'json' } as const;
			const messages = [1, 2, 3].map(() => messageOf(world, oracle, pay));
			const [first, ...more] = messages.filter((message) => message !== undefined);
			// The first one is sent twice at once, as by a service that lost patience.
			const all = first ? [first, first, ...more] : [];
			await Promise.all(all.map(async (message) => await oracle.send(message)));
			break;
		}
		case 'forge': {
			const forged = ([0, 1, 2] as const).flatMap((index) => [
				forgery(world, oracle, step, { workflow: index, at: 'production' }),
				forgery(world, oracle, step, { workflow: index, at: 'test' }),
			]);
			await Promise.all(forged.map(async (message) => await oracle.send(message)));
			break;
		}
		case 'calm':
			await calm(world, oracle);
			break;
		default: {
			const message = messageOf(world, oracle, step);
			if (message) await oracle.send(message, step.do === 'probe' ? step.method : undefined);
		}
	}
	await n8n.clock.pass(2_000);
	oracle.check();
}

/** Everything works again, and all is quiet: then what was wanted last has to be there. */
export async function calm(world: World, oracle: Oracle): Promise<void> {
	for (const part of parts) world.setPart(part, true);
	world.service.setMode('well');
	await Promise.all(world.pending.values());
	const isDone = () => ['7', '8'].every((merchantId) => oracle.isAsWanted(merchantId));
	for (let turns = 0; turns < 100 && !(isDone() && turns > 2); turns++)
		await world.n8n.clock.pass(300_000);
	oracle.checkCalm();
}

async function publish(world: World, oracle: Oracle, workflow: Index): Promise<void> {
	const { isServing, running } = oracle.triggers[workflow];
	const isSame = JSON.stringify(running) === JSON.stringify(world.drafts[workflow]);
	// For an unchanged trigger with all its addresses, n8n calls nothing.
	if (!isServing || !isSame || !world.hasAllAddresses(workflow)) await oracle.publish(workflow);
}

function changedOptions(world: World, oracle: Oracle, change: StepOf<'edit'>): Options {
	const { options } = world.drafts[change.workflow];
	const requiredProof = [...oracle.proofs.keys()].at(-1);
	const all = {
		none: undefined,
		acceptUnverified: { acceptUnverified: options.acceptUnverified !== true },
		fallbackUrl: { fallbackUrl: `https://shop-${change.workflow}.example/events` },
		requiredProof: requiredProof === undefined ? {} : { requiredProof },
		toleranceSeconds: { toleranceSeconds: options.toleranceSeconds === 300 ? 301 : 300 },
	};
	const chosen = all[change.option];
	return chosen === undefined ? {} : { ...options, ...chosen };
}

function rotate(world: World, { credential, what }: StepOf<'rotate'>): void {
	const { merchantId, apiKey, webhookSecret } = world.stored(credential);
	const other = merchantId === '7' ? '8' : '7';
	const [first, second] = apiKeys[merchantId] ?? [];
	const number = Number(/\d+$/.exec(webhookSecret)?.[0] ?? 0) + 1;
	if (what === 'secret') {
		// Every third is left out, and derived.
		const next = number % 3 === 0 ? '' : `webhook-secret-of-${credential}-${number}`;
		world.saveCredential(credential, { webhookSecret: next });
	} else if (what === 'key') {
		world.saveCredential(credential, { apiKey: apiKey === first ? second : first });
	} else {
		world.saveCredential(credential, { merchantId: other, apiKey: apiKeys[other]?.[0] });
	}
}

let lastId = 0;

function newMessage(url: string, token: string | null = null): Message {
	const id = `event-${++lastId}`;
	const address = token === null ? url : `${url}?token=${token}`;
	return { id, url: address, style: 'json', signing: 'none', secret: '', signedAt: Date.now() };
}

/** What somebody sends who has the keys; undefined when there is nothing to send. */
function messageOf(
	world: World,
	oracle: Oracle,
	step: StepOf<'pay' | 'repeat' | 'stray' | 'probe'>,
): Message | undefined {
	const { signing } = world;
	if (step.do === 'repeat') {
		const message = [...oracle.messages.values()].at(-1 - step.back);
		return message && { ...message, ...(step.isSignedAnew && { signedAt: Date.now() }) };
	}
	if (step.do === 'pay') {
		const registered = world.service.registered.get(step.merchant);
		if (!registered) return undefined;
		const { secret, url } = registered;
		const message = { ...newMessage(echoOf(url)), style: step.style, secret, signing };
		return { ...message, signedAt: message.signedAt - step.days * 86_400_000 };
	}
	const from = oracle.triggers[step.do === 'stray' ? step.from : step.workflow].version;
	const message = newMessage(world.urlOf(step), step.hasToken ? from?.token : null);
	if (step.do === 'probe') return { ...message, id: '', style: 'query' };
	return from && { ...message, secret: from.secret, signing };
}

/** What a stranger sends. */
function forgery(
	world: World,
	oracle: Oracle,
	{ how, signing, style }: StepOf<'forge'>,
	address: Address,
): Message {
	const { workflow } = address;
	const { version, versions } = oracle.triggers[workflow];
	const former = versions.at(-2);
	const foreign = oracle.triggers[workflow === 2 ? 0 : 2].version;
	const tokens = {
		nothing: null,
		leakedToken: version?.token,
		foreignToken: foreign?.token,
		oldSecret: former?.token,
		changedCopy: null,
	};
	const secret = (how === 'oldSecret' && former?.secret) || 'a guessed secret';
	const message = { ...newMessage(world.urlOf(address), tokens[how]), signing, style, secret };
	if (how !== 'changedCopy') return message;
	// Of the service's own proof, a stranger knows nothing.
	const unknown = ['host', 'connection', 'content-length', signatureHeader];
	const own = Object.entries(world.n8n.reach.requests.at(-1)?.headers ?? {});
	const headers = Object.fromEntries(own.filter(([name]) => !unknown.includes(name)));
	return { ...message, headers, signing: 'none', style: 'json' };
}
