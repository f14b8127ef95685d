import { createRequire, isBuiltin } from 'node:module';
import Runtime from 'jest-runtime';

/** Code that runs while a module is loaded belongs to no test, also where a test loads the module. */
function outsideOfTests(load) {
	const { __stryker__: stryker = {} } = globalThis;
	const { currentTestId } = stryker;
	stryker.currentTestId = undefined;
	try {
		return load();
	} finally {
		stryker.currentTestId = currentTestId;
	}
}

/** Jest's loader of modules, but packages are loaded by Node.js itself: once for all test files. */
export default class SharedPackages extends Runtime {
	requireModule(from, name = '', options, ...others) {
		const isPackage = /^[\w@]/.test(name) && !isBuiltin(name) && !options?.isInternalModule;
		return isPackage
			? createRequire(from)(name)
			: outsideOfTests(() => super.requireModule(from, name || undefined, options, ...others));
	}
}
