type Cell = string | number;

/** A Markdown table, text to the left and numbers to the right. */
export function table(heading: readonly string[], rows: ReadonlyArray<readonly Cell[]>): string {
	const alignment = heading.map((_, column) =>
		typeof rows[0]?.[column] === 'number' ? '--:' : '---',
	);
	return [heading, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What a measured figure should be; nothing fails when it is not. */
export interface Goal {
	what: string;
	measured: number;
	atLeast?: number;
	atMost?: number;
}

function isMet({ measured, atLeast = -Infinity, atMost = Infinity }: Goal): boolean {
	return measured >= atLeast && measured <= atMost;
}

/** A Markdown table of goals, each with its figure. */
export function goalTable(goals: readonly Goal[]): string {
	return table(
		['Goal', 'should be', 'is', ''],
		goals.map((goal) => [
			goal.what,
			goal.atLeast === undefined ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`,
			Number(goal.measured.toFixed(3)),
			isMet(goal) ? 'met' : 'NOT met',
		]),
	);
}
