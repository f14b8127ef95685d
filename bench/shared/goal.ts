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

/** Prints each goal with its figure beside it. */
export function printGoals(goals: readonly Goal[]): void {
	for (const goal of goals) {
		const bound =
			goal.atLeast === undefined ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`;
		const verdict = isMet(goal) ? 'met' : 'NOT met';
		console.log(
			`  ${verdict.padEnd(7)}  ${goal.measured.toFixed(3)}  (goal: ${bound})  ${goal.what}`,
		);
	}
	console.log();
}
