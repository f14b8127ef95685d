import vm from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus } from '@jest/types';
import NodeEnvironment from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';

/** Contexts whose code is compiled for the process itself; jest wants to have one. */
const shared = new WeakSet<object>();
const { compileFunction } = vm;
Object.assign(vm, {
	compileFunction: (...[code, parameters, options = {}]: Parameters<typeof compileFunction>) => {
		const { parsingContext, ...others } = options;
		const isShared = parsingContext !== undefined && shared.has(parsingContext);
		return compileFunction(code, parameters, isShared ? others : options);
	},
});

/** Jest and tests put others in their place; the next file must find these again. */
const described = Object.entries(Object.getOwnPropertyDescriptors(globalThis));
const ownGlobals = described.filter(([, { configurable }]) => configurable);
const ownFunctions = ['exit', 'getBuiltinModule'].map(
	(name) => [name, Reflect.get(process, name) as unknown] as const,
);

/** What the next file must not find: each has a test framework of its own. */
const leftovers = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];

function isEnough(): boolean {
	const { __STRYKER_ACTIVE_MUTANT__: mutant, MUTATION_ALL_KILLERS: all } = process.env;
	return mutant !== undefined && all === undefined;
}

/**
 * Jest's environment without a context of its own. Packages that are shared by all test files
 * (`runtime.mjs`) must have the same `Error`, `Date` and timers as the code that uses them.
 */
export default class SharedContext extends NodeEnvironment {
	private hasFailed = false;

	constructor(...args: ConstructorParameters<typeof NodeEnvironment>) {
		super(...args);
		if (this.context) shared.add(this.context);
		this.global = globalThis as unknown as typeof this.global;
		this.moduleMocker = new ModuleMocker(globalThis);
		const config = args[0].projectConfig;
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
	}

	/** One failure is enough to know that a mutant was noticed. */
	handleTestEvent(event: Circus.Event): void {
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
		if (event.name === 'test_done' && event.test.errors.length > 0) this.hasFailed = isEnough();
	}

	override async teardown(): Promise<void> {
		await super.teardown();
		Object.defineProperties(globalThis, Object.fromEntries(ownGlobals));
		Object.assign(process, Object.fromEntries(ownFunctions));
		for (const key of Object.getOwnPropertySymbols(globalThis)) {
			if (leftovers.includes(key.description ?? '')) Reflect.deleteProperty(globalThis, key);
		}
	}
}
