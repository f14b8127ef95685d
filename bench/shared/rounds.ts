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
		const order = round % 2 === 0 ? contestants : [...contestants].reverse();
		for (const contestant of order) results.get(contestant)?.push(await turn(contestant));
	}
	return results;
}
