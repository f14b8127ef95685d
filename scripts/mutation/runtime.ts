import { createRequire, isBuiltin } from 'node:module';
import Runtime from 'jest-runtime';

/** Jest's loader of modules, but packages are loaded by Node.js itself: once for all test files. */
export default class SharedPackages extends Runtime {
	override requireModule<T>(...args: Parameters<Runtime['requireModule']>): T {
		const [from, name = '', options] = args;
		const isPackage = /^[\w@]/.test(name) && !isBuiltin(name) && options?.isInternalModule !== true;
		return isPackage ? (createRequire(from)(name) as T) : super.requireModule<T>(...args);
	}
}
