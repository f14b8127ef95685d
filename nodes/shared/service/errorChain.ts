import { isRecord } from '../fields/isRecord';

/**
 * An error and those inside it: n8n wraps a failed request once or twice, and where several addresses
 * of one host were tried, each has its own.
 */
export function errorChain(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if (!isRecord(error) || depth === 5) return [];
	const several: unknown[] = Array.isArray(error.errors) ? error.errors : [];
	const inside = [error.cause ?? error.error ?? error.reason, ...several];
	return [error, ...inside.flatMap((inner) => errorChain(inner, depth + 1))];
}

export function codesOf(errors: Array<Record<string, unknown>>): string[] {
	return errors
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.filter((code) => typeof code === 'string');
}
