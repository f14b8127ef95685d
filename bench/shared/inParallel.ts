/** Works through the list, on so many entries at once; gives the results in the list's order. */
export async function inParallel<Entry, Result>(
	entries: readonly Entry[],
	atOnce: number,
	work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const waiting = entries.entries();
	const workOnAndOn = async () => {
		for (const [index, entry] of waiting) results[index] = await work(entry);
	};
	await Promise.all(Array.from({ length: atOnce }, workOnAndOn));
	return results;
}
