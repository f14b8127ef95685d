import { cpus, loadavg, totalmem } from 'node:os';
import { version } from '../../package.json';
import { n8nVersion } from '../../scripts/localN8n/installation';

/** The middle of the values; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((left, right) => left - right);
	const middle = sorted.length / 2;
	const upper = sorted[Math.floor(middle)] ?? NaN;
	const lower = sorted[Math.ceil(middle) - 1] ?? NaN;
	return (lower + upper) / 2;
}

/** Compares two contestants round by round, since both ran in the same minute of each round. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
	return median(values.map((value, round) => value / (others[round] ?? NaN)));
}

/** A number with at most so many digits after the point. */
export function rounded(value: number, digits = 0): number {
	return Number(value.toFixed(digits));
}

/**
 * Lets each contestant have its turn once a round, in one order forwards and then backwards, so
 * that neither the machine's moods nor a growing database favour anybody.
 *
 * @returns the results of each contestant, round by round
 */
export async function inRounds<Contestant, Result>(
	contestants: readonly Contestant[],
	rounds: number,
	turn: (contestant: Contestant) => Promise<Result>,
): Promise<Map<Contestant, Result[]>> {
	const results = new Map<Contestant, Result[]>(contestants.map((each) => [each, []]));
	for (let round = 0; round < rounds; round++) {
		const order = round % 2 === 0 ? contestants : contestants.toReversed();
		for (const contestant of order) results.get(contestant)?.push(await turn(contestant));
	}
	return results;
}

/** A Markdown table, text to the left and numbers to the right. */
export function table(
	heading: readonly string[],
	rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string {
	const alignment = heading.map((_, column) =>
		typeof rows[0]?.[column] === 'number' ? '--:' : '---',
	);
	return [heading, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What a measured figure should be; nothing fails when it is not. */
interface Goal {
	what: string;
	measured: number;
	atLeast?: number;
	atMost?: number;
}

/** A Markdown table of goals, each with its figure. */
export function goalTable(goals: readonly Goal[]): string {
	return table(
		['Goal', 'should be', 'is', ''],
		goals.map(({ what, measured, atLeast, atMost }) => [
			what,
			atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`,
			rounded(measured, 3),
			measured >= (atLeast ?? -Infinity) && measured <= (atMost ?? Infinity) ? 'met' : 'NOT met',
		]),
	);
}

/** Shows a part of the result, as Markdown. */
export function show(...blocks: string[]): void {
	console.log(`${blocks.join('\n\n')}\n`);
}

/** The load averages of the last 1, 5 and 15 minutes: how many processes wanted a core. */
export function machineLoad(): string {
	return `load averages ${loadavg()
		.map((value) => value.toFixed(1))
		.join(', ')}`;
}

/** On what, with what and when something was measured. */
export function circumstances(): string {
	const [core] = cpus();
	const date = new Date().toISOString().slice(0, 10);
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	const machine = `${cpus().length} cores (${core?.model.trim() ?? 'unknown'}), ${gigabytes} GB`;
	return `${date}, package ${version}, n8n ${n8nVersion}, Node ${process.versions.node}, ${machine}`;
}
