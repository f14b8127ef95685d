import fc from 'fast-check';

import { nameIn, oneOf } from '../support/drawing';
import type { Oracle } from './oracle';
import { apiKeys, echoOf, newMessage, serviceModes, signatureHeader, signings } from './service';
import { addresses, parts, type Credential, type Draft, type Index } from './world';

const workflow = fc.constantFrom<Index[]>(0, 0, 0, 1, 1, 2);
const merchant = fc.constantFrom('7', '7', '7', '8');
const at = fc.constantFrom('production', 'production', 'test');
const style = oneOf<'json' | 'query'>([5, fc.constant('json')], [1, fc.constant('query')]);
const days = fc.constantFrom(0, 0, 0, 0, 0.007, 2, 8);
const part = fc.constantFrom(...parts);
const flag = fc.boolean();

type Options = Draft['options'];

/** What a person makes of the options. */
const edits = {
	none: () => ({}),
	acceptUnverified: (options) => ({ ...options, acceptUnverified: !options.acceptUnverified }),
	fallbackUrl: (options, index) => ({ ...options, fallbackUrl: `https://shop-${index}.example/x` }),
	requiredProof: (options, _index, { proofs }) => {
		const requiredProof = [...proofs.keys()].at(-1);
		return { ...options, ...(requiredProof !== undefined && { requiredProof }) };
	},
	toleranceSeconds: (options) => ({
		...options,
		toleranceSeconds: options.toleranceSeconds === 300 ? 301 : 300,
	}),
} satisfies Record<string, (options: Options, index: Index, oracle: Oracle) => Options>;

/** What a person changes of a credential. */
const rotations = {
	secret: ({ webhookSecret }, id) => {
		const number = Number(/\d+$/.exec(webhookSecret)?.[0] ?? 0) + 1;
		// Every third is left out, and derived.
		return { webhookSecret: number % 3 === 0 ? '' : `webhook-secret-of-${id}-${number}` };
	},
	key: ({ merchantId, apiKey: old }) => ({
		apiKey: apiKeys[merchantId]?.find((key) => key !== old),
	}),
	merchant: ({ merchantId }) => {
		const other = merchantId === '7' ? '8' : '7';
		return { merchantId: other, apiKey: apiKeys[other]?.[0] ?? '' };
	},
} satisfies Record<string, (credential: Credential, id: string) => Partial<Credential>>;

/** What a stranger may know. A token that leaked proves nothing once there is something stronger. */
const forgeries = {
	nothing: () => ({}),
	leakedToken: ({ triggers }, index) => ({ token: triggers[index].version?.token }),
	foreignToken: ({ triggers }, index) => ({ token: triggers[index === 2 ? 0 : 2].version?.token }),
	oldSecret: ({ triggers }, index) => {
		const { secret = 'a guessed secret', token } = triggers[index].versions.at(-2) ?? {};
		return { secret, token };
	},
	changedCopy: ({ world }) => {
		// Of the service's own proof, a stranger knows nothing.
		const unknown = ['host', 'connection', 'content-length', signatureHeader];
		const own = Object.entries(world.n8n.ownRequests.at(-1) ?? {});
		const headers = Object.fromEntries(own.filter(([name]) => !unknown.includes(name)));
		return { headers, signing: 'none', style: 'json' };
	},
} satisfies Record<string, (oracle: Oracle, index: Index) => Parameters<typeof newMessage>[1]>;

type Drawn<Args> = { [Place in keyof Args]: fc.Arbitrary<Args[Place]> };
type Take<Args extends unknown[]> = (oracle: Oracle, ...args: Args) => Promise<void> | void;

/** What can happen: how often, to whom or what, and how; nothing where it makes no sense. */
function kind<Args extends unknown[]>(weight: number, drawn: [...Drawn<Args>], take: Take<Args>) {
	return { weight, drawn, take };
}

/** The same to a workflow, unless a change of it is under way. */
function kindOf<Args extends unknown[]>(
	weight: number,
	drawn: [...Drawn<Args>],
	take: Take<[Index, ...Args]>,
) {
	const all = [workflow, ...drawn] as [...Drawn<[Index, ...Args]>];
	return kind<[Index, ...Args]>(weight, all, async (oracle, index, ...args) => {
		if (!oracle.world.pending.has(index)) await take(oracle, index, ...args);
	});
}

const kinds = {
	publish: kindOf(12, [], publish),
	edit: kindOf(7, [nameIn(edits), flag], async (oracle, index, option, isPublished) => {
		const { options } = oracle.world.drafts[index];
		oracle.world.edit(index, { options: edits[option](options, index, oracle) });
		if (isPublished) await publish(oracle, index);
	}),
	rename: kindOf(1, [], ({ world }, index) =>
		world.edit(index, { name: `${world.drafts[index].name} 2` }),
	),
	unpublish: kindOf(4, [], async (oracle, index) => {
		if (oracle.triggers[index].running) await oracle.unpublish(index);
	}),
	listen: kindOf(4, [], async (oracle, index) => {
		if (!oracle.world.workflows[index].isListening) await oracle.listen(index);
	}),
	stop: kindOf(1, [], async ({ world }, index) => {
		await world.change(index, world.workflows[index].endListen());
	}),
	restart: kind(3, [fc.constantFrom(0, 0, 2)], (oracle, receivers) => {
		const { pending, service } = oracle.world;
		if (pending.size === 0 && service.countHeld() === 0) oracle.restart(receivers);
	}),
	rotate: kind(
		4,
		[fc.constantFrom('a', 'a', 'b'), fc.constantFrom('secret', 'secret', 'key', 'merchant')],
		({ world }, id, what) => {
			// A change under way would meet both.
			if (world.pending.size === 0) world.saveCredential(id, rotations[what](world.stored(id), id));
		},
	),
	service: kind(6, [fc.constantFrom('well', 'cuts', ...serviceModes)], ({ world }, mode) =>
		world.service.setMode(mode),
	),
	sign: kind(4, [nameIn(signings)], ({ world }, signing) => void (world.signing = signing)),
	break: kind(3, [part], ({ world }, which) => world.setPart(which, false)),
	mend: kind(3, [part], ({ world }, which) => world.setPart(which, true)),
	beginLong: kindOf(5, [], (oracle, index) => oracle.beginLong(index)),
	endLong: kindOf(5, [], (oracle, index) => oracle.endLong(index)),
	wait: kind(2, [fc.constantFrom(10_000, 120_000, 600_000)], async ({ world: { n8n } }, time) =>
		n8n.clock.pass(time),
	),
	calm: kind(4, [], calm),
	pay: kind(16, [merchant, days, style], async (oracle, to, late, how) => {
		const signedAt = Date.now() - late * 86_400_000;
		await oracle.send(payment(oracle, to, { style: how, signedAt }));
	}),
	burst: kind(2, [merchant], async (oracle, to) => {
		const [first, ...more] = [1, 2, 3].map(() => payment(oracle, to));
		// The first one is sent twice at once, as by a service that lost patience.
		await Promise.all([first, first, ...more].map(async (message) => await oracle.send(message)));
	}),
	repeat: kind(4, [fc.nat(3), flag], async (oracle, back, isSignedAnew) => {
		const message = [...oracle.messages.values()].at(-1 - back);
		await oracle.send(message && { ...message, ...(isSignedAnew && { signedAt: Date.now() }) });
	}),
	stray: kindOf(4, [workflow, flag, at], async (oracle, to, from, hasToken, where) => {
		const { version } = oracle.triggers[from];
		if (!version) return;
		const token = hasToken ? version.token : undefined;
		const proof = { secret: version.secret, signing: oracle.world.signing, token };
		await oracle.send(newMessage(oracle.world.urlOf({ workflow: to, at: where }), proof));
	}),
	forge: kind(
		12,
		[nameIn(forgeries), nameIn(signings), style],
		async (oracle, how, signing, as) => {
			const forged = addresses.map((address) => {
				const known = forgeries[how](oracle, address.workflow);
				const message = { signing, style: as, secret: 'a guessed secret', ...known };
				return newMessage(oracle.world.urlOf(address), message);
			});
			await Promise.all(forged.map(async (message) => await oracle.send(message)));
		},
	),
};

type Kinds = typeof kinds;

/** One thing that happens. */
export type Step = {
	[Name in keyof Kinds]: Kinds[Name] extends { take: Take<infer Args> } ? [Name, ...Args] : never;
}[keyof Kinds];

const anySteps = fc.array(
	fc.oneof(
		...Object.entries(kinds).map(([name, { weight, drawn }]) => ({
			weight,
			arbitrary: fc.tuple(fc.constant(name), ...(drawn as Array<fc.Arbitrary<unknown>>)),
		})),
	) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>,
	{ maxLength: 80, size: 'max' },
);

/** In each run, some of these never happen: where everything happens, one trouble hides another. */
const leftOut = fc.subarray<Step[0]>([
	...(['break', 'listen', 'rename', 'restart', 'rotate'] as const),
	...(['service', 'sign', 'stray', 'unpublish', 'wait'] as const),
]);

export const steps: fc.Arbitrary<Step[]> = fc
	.tuple(anySteps, leftOut)
	.map(([all, names]) => all.filter(([name]) => !names.includes(name)));

/** Lets one step happen, and checks all that can be seen. */
export async function take(oracle: Oracle, [name, ...args]: Step): Promise<void> {
	await (kinds[name].take as Take<unknown[]>)(oracle, ...args);
	await oracle.world.n8n.clock.pass(2_000);
	oracle.check();
}

/** Everything works again, and all is quiet: then what was wanted last has to be there. */
export async function calm(oracle: Oracle): Promise<void> {
	const { world } = oracle;
	for (const which of parts) world.setPart(which, true);
	world.service.setMode('well');
	await Promise.all(world.pending.values());
	const isDone = () => Object.keys(apiKeys).every((id) => oracle.isAsWanted(id));
	for (let turns = 0; turns < 100 && !(isDone() && turns > 2); turns++)
		await world.n8n.clock.pass(300_000);
	oracle.checkCalm();
}

async function publish(oracle: Oracle, index: Index): Promise<void> {
	const { isServing, running } = oracle.triggers[index];
	const isSame = JSON.stringify(running) === JSON.stringify(oracle.world.drafts[index]);
	// For an unchanged trigger with all its addresses, n8n calls nothing.
	const isComplete = isServing && isSame && oracle.world.hasAllAddresses(index);
	if (!isComplete) await oracle.publish(index);
}

/** What the service sends; nothing when no address is registered. */
function payment(
	{ world }: Oracle,
	merchantId: string,
	more: Parameters<typeof newMessage>[1] = {},
) {
	const registered = world.service.registered.get(merchantId);
	if (!registered) return undefined;
	const proof = { secret: registered.secret, signing: world.signing };
	return newMessage(echoOf(registered.url), { ...proof, ...more });
}
