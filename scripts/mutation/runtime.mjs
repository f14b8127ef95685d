import { createRequire, isBuiltin } from 'node:module';
import Runtime from 'jest-runtime';

/** Jest's loader of modules, but packages are loaded by Node.js itself: once for all test files. */
export default class SharedPackages extends Runtime {
	requireModule(from, name = '', options, ...others) {
		const isPackage = /^[\w@]/.test(name) && !isBuiltin(name) && !options?.isInternalModule;
		return isPackage
			? createRequire(from)(name)
			: super.requireModule(from, name || undefined, options, ...others);
	}
}
