import fc from 'fast-check';

import {
	signatureHeader,
	signings,
	styles,
	type Message,
	type Signing,
	type Style,
} from './message';
import type { Oracle } from './oracle';
import { apiKeys, echoOf, serviceModes, type ServiceMode } from './service';
import type { Address, CredentialId, Options, World } from './world';

type OptionName =
	| 'acceptUnverified'
	| 'fallbackUrl'
	| 'requiredProof'
	| 'toleranceSeconds'
	| 'none';

/** One thing that happens; one that makes no sense at its time is left out. */
export type Step =
	| { do: 'publish' | 'rename' | 'unpublish' | 'listen' | 'stop'; workflow: number }
	| { do: 'edit'; workflow: number; option: OptionName }
	| { do: 'restart'; receivers: number }
	| { do: 'rotate'; credential: CredentialId; what: 'secret' | 'key' | 'merchant' }
	| { do: 'service'; mode: ServiceMode }
	| { do: 'sign'; signing: Signing }
	| { do: 'break' | 'mend'; what: 'vault' | 'database' | 'self' }
	| { do: 'beginLong' | 'endLong'; workflow: number }
	| { do: 'wait'; seconds: number }
	| { do: 'calm' }
	| { do: 'pay'; merchant: string; days: number; style: Style }
	| { do: 'burst'; merchant: string }
	| { do: 'repeat'; back: number; isSignedAnew: boolean }
	| ({ do: 'stray'; from: number; hasToken: boolean } & Address)
	| ({ do: 'forge'; how: Forgery; signing: Signing; style: Style } & Address)
	| ({ do: 'probe'; method: 'GET' | 'HEAD' | 'POST'; hasToken: boolean } & Address);

/** What a stranger may know. A token that leaked proves nothing once there is something stronger. */
const forgeries = ['nothing', 'leakedToken', 'foreignToken', 'oldSecret', 'changedCopy'] as const;
type Forgery = (typeof forgeries)[number];

const workflow = fc.constantFrom(0, 0, 0, 1, 1, 2);
const merchant = fc.oneof({ weight: 3, arbitrary: fc.constant('7') }, fc.constant('8'));
const address = { workflow, at: fc.constantFrom('production', 'production', 'test') } as const;
const style = fc.oneof({ weight: 6, arbitrary: fc.constant(styles[0]) }, fc.constant(styles[1]));
const signing = fc.constantFrom(...signings);
const optionNames = [
	'none',
	'acceptUnverified',
	'fallbackUrl',
	'requiredProof',
	'toleranceSeconds',
] as const;

function step<Kind extends Step['do']>(
	weight: number,
	kind: Kind,
	more: { [Key in Exclude<keyof Extract<Step, { do: Kind }>, 'do'>]: fc.Arbitrary<unknown> },
): { weight: number; arbitrary: fc.Arbitrary<Step> } {
	const arbitrary = fc.record({ do: fc.constant(kind), ...more }, { noNullPrototype: true });
	return { weight, arbitrary: arbitrary as unknown as fc.Arbitrary<Step> };
}

const anySteps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		step(12, 'publish', { workflow }),
		step(5, 'edit', { workflow, option: fc.constantFrom(...optionNames) }),
		step(1, 'rename', { workflow }),
		step(4, 'unpublish', { workflow }),
		step(4, 'listen', { workflow }),
		step(1, 'stop', { workflow }),
		step(3, 'restart', { receivers: fc.constantFrom(0, 0, 2) }),
		step(4, 'rotate', {
			credential: fc.constantFrom('a', 'a', 'b'),
			what: fc.constantFrom('secret', 'secret', 'key', 'merchant'),
		}),
		step(6, 'service', { mode: fc.constantFrom('well', 'cuts', ...serviceModes) }),
		step(4, 'sign', { signing }),
		step(3, 'break', { what: fc.constantFrom('vault', 'database', 'self') }),
		step(3, 'mend', { what: fc.constantFrom('vault', 'database', 'self') }),
		step(2, 'beginLong', { workflow }),
		step(3, 'endLong', { workflow }),
		step(2, 'wait', { seconds: fc.constantFrom(10, 120, 600) }),
		step(4, 'calm', {}),
		step(16, 'pay', { merchant, days: fc.constantFrom(0, 0, 0, 0.007, 2, 8), style }),
		step(2, 'burst', { merchant }),
		step(4, 'repeat', { back: fc.nat(3), isSignedAnew: fc.boolean() }),
		step(4, 'stray', { from: workflow, hasToken: fc.boolean(), ...address }),
		step(14, 'forge', { how: fc.constantFrom(...forgeries), signing, style, ...address }),
		step(2, 'probe', {
			method: fc.constantFrom('GET', 'HEAD', 'POST'),
			hasToken: fc.boolean(),
			...address,
		}),
	),
	{ maxLength: 80, size: 'max' },
);

/** In each run, some of these never happen: where everything happens, one trouble hides another. */
const leftOut = fc.subarray<Step['do']>([
	'break',
	'edit',
	'endLong',
	'forge',
	'listen',
	'rename',
	'repeat',
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
	const without = process.env.MODEL_WITHOUT;
	if (without !== undefined && new RegExp(without).test(JSON.stringify(step))) return;
	if ('workflow' in step && world.pending.has(step.workflow)) return;
	switch (step.do) {
		case 'publish':
			if (!isUpToDate(world, oracle, step.workflow)) await oracle.publish(step.workflow);
			break;
		case 'unpublish':
			if (oracle.trigger(step.workflow).running) await oracle.unpublish(step.workflow);
			break;
		case 'rename':
			world.edit(step.workflow, { name: `${world.draft(step.workflow).name} 2` });
			break;
		case 'edit':
			world.edit(step.workflow, { options: changedOptions(world, oracle, step) });
			break;
		case 'listen':
			if (!world.workflow(step.workflow).isListening) await oracle.listen(step.workflow);
			break;
		case 'stop':
			await world.change(step.workflow, world.workflow(step.workflow).endListen());
			break;
		case 'restart':
			if (world.pending.size > 0 || service.isHolding) break;
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
			setState(world, step.what, step.do === 'mend');
			break;
		case 'beginLong': {
			const { atMost } = oracle.trigger(step.workflow);
			const end = n8n.beginLongExecution(world.workflow(step.workflow).id);
			if (oracle.trigger(step.workflow).isServing) {
				oracle.trigger(step.workflow).long ??= { end, atMost };
			}
			break;
		}
		case 'endLong': {
			const { long } = oracle.trigger(step.workflow);
			long?.end();
			if (long) oracle.overwritten(step.workflow, long.atMost, world.receivers > 0);
			delete oracle.trigger(step.workflow).long;
			break;
		}
		case 'wait':
			await world.tick(step.seconds * 1_000);
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
		case 'calm':
			await calm(world, oracle);
			break;
		default: {
			const message = messageOf(world, oracle, step);
			if (message) await oracle.send(message, step.do === 'probe' ? step.method : undefined);
		}
	}
	await world.tick();
	oracle.check();
}

/** Everything works again, and all is quiet: then what was wanted last has to be there. */
export async function calm(world: World, oracle: Oracle): Promise<void> {
	for (const what of ['vault', 'database', 'self'] as const) setState(world, what, true);
	world.service.setMode('well');
	await Promise.all(world.pending.values());
	const isDone = () => ['7', '8'].every((merchantId) => oracle.isAsWanted(merchantId));
	for (let turns = 0; turns < 100 && !(isDone() && turns > 2); turns++) await world.tick(300_000);
	oracle.checkCalm();
}

/** For an unchanged trigger with all its addresses, n8n calls nothing. */
function isUpToDate(world: World, oracle: Oracle, workflow: number): boolean {
	const { isServing, running } = oracle.trigger(workflow);
	const isSame = JSON.stringify(running) === JSON.stringify(world.draft(workflow));
	return isServing && isSame && world.hasAllAddresses(workflow);
}

function changedOptions(
	world: World,
	oracle: Oracle,
	{ workflow, option }: Extract<Step, { do: 'edit' }>,
): Options {
	const { options } = world.draft(workflow);
	const [proof] = [...oracle.proofs.keys()].reverse();
	switch (option) {
		case 'none':
			return {};
		case 'acceptUnverified':
			return { ...options, acceptUnverified: options.acceptUnverified !== true };
		case 'fallbackUrl':
			return { ...options, fallbackUrl: `https://shop-${workflow}.example/events` };
		case 'requiredProof':
			return { ...options, ...(proof === undefined ? {} : { requiredProof: proof }) };
		case 'toleranceSeconds':
			return { ...options, toleranceSeconds: options.toleranceSeconds === 300 ? 301 : 300 };
	}
}

function rotate(world: World, { credential, what }: Extract<Step, { do: 'rotate' }>): void {
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

function setState(world: World, what: 'vault' | 'database' | 'self', works: boolean): void {
	if (what === 'vault') world.setVault(works);
	if (what === 'self') world.n8n.reach.works = works;
	if (what === 'database') world.setDatabase(works);
}

let lastId = 0;

function messageOf(
	world: World,
	oracle: Oracle,
	step: Extract<Step, { do: 'pay' | 'repeat' | 'stray' | 'forge' | 'probe' }>,
): Message | undefined {
	const now = Date.now();
	const common = { id: `event-${++lastId}`, signedAt: now, style: 'json', secret: '' } as const;
	if (step.do === 'repeat') {
		const message = [...oracle.messages.values()].at(-1 - step.back);
		return message && { ...message, signedAt: step.isSignedAnew ? now : message.signedAt };
	}
	if (step.do === 'pay') {
		const registered = world.service.registered.get(step.merchant);
		if (!registered) return undefined;
		const { secret, url } = registered;
		const { style, days } = step;
		const signedAt = now - days * 86_400_000;
		return { ...common, url: echoOf(url), style, secret, signing: world.signing, signedAt };
	}
	const plainUrl = world.urlOf(step);
	const withToken = (token: string | null | undefined) =>
		typeof token === 'string' ? `${plainUrl}?token=${token}` : plainUrl;
	const { version } = oracle.trigger(step.workflow);
	if (step.do === 'probe') {
		const url = step.hasToken ? withToken(version?.token) : plainUrl;
		return { ...common, id: '', style: 'query', url, signing: 'none' };
	}
	if (step.do === 'stray') {
		const from = oracle.trigger(step.from).version;
		if (!from) return undefined;
		const url = withToken(step.hasToken ? from.token : undefined);
		return { ...common, url, secret: from.secret, signing: world.signing };
	}
	const { how, style } = step;
	const forged = {
		...common,
		style,
		signing: step.signing,
		secret: 'a guessed secret',
		url: plainUrl,
	};
	if (how === 'leakedToken') return { ...forged, url: withToken(version?.token) };
	if (how === 'foreignToken') {
		return { ...forged, url: withToken(oracle.trigger((step.workflow + 1) % 3).version?.token) };
	}
	if (how === 'oldSecret') {
		const old = oracle.versions[step.workflow]?.at(-2);
		return old && { ...forged, secret: old.secret, url: withToken(old.token) };
	}
	if (how === 'changedCopy') {
		const own = world.n8n.reach.requests.at(-1);
		// Of the service's own proof, a stranger knows nothing.
		const secret = ['host', 'connection', 'content-length', signatureHeader];
		const entries = Object.entries(own?.headers ?? {}).filter(([name]) => !secret.includes(name));
		const headers = Object.fromEntries(entries);
		return { ...forged, headers, signing: 'none', style: 'json' };
	}
	return forged;
}
