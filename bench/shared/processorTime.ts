import { readdir, readFile } from 'node:fs/promises';

/** Linux counts processor time in hundredths of a second here. */
const millisecondsPerTick = 10;

/** Reads a line of /proc/NUMBER/stat; the name, in parentheses, may hold anything. */
function parseStatistics(line: string): { processGroup: number; milliseconds: number } {
	const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
	const [processGroup, user, system] = [fields[2], fields[11], fields[12]].map(Number);
	return {
		processGroup: processGroup ?? NaN,
		milliseconds: ((user ?? NaN) + (system ?? NaN)) * millisecondsPerTick,
	};
}

/** The processor time so far of all processes of some groups, all their threads included. */
export async function processorMilliseconds(groups: readonly number[]): Promise<number> {
	const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	// A process may end meanwhile.
	const lines = await Promise.all(
		names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined)),
	);
	return lines
		.flatMap((line) => (line === undefined ? [] : parseStatistics(line)))
		.filter(({ processGroup }) => groups.includes(processGroup))
		.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}
