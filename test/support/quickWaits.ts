/** What nodes and n8n wait between tries takes a fiftieth of its time; time limits from 5 s on stay. */
const factor = 50;

/** Call it at the top of a file; the sandbox's own waits and all timeouts of requests stay. */
export function useQuickWaits(): void {
	const { setTimeout: original } = globalThis;
	beforeAll(() => {
		const quick = (callback: () => void, milliseconds = 0) =>
			original(callback, milliseconds < 5_000 ? milliseconds / factor : milliseconds);
		globalThis.setTimeout = Object.assign(quick, original);
	});
	afterAll(() => {
		globalThis.setTimeout = original;
	});
}
