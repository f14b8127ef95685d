/** Ends of test listens that this process is busy with, by node. */
const underWay = new Map<string, Promise<void>>();

/**
 * Ends a test listen. Of the events that arrive at the test address, each asks for its end, and so
 * may a cancel at the same time: all of them share one.
 */
export async function endTestListen(node: string, end: () => Promise<void>): Promise<void> {
	const ending = underWay.get(node) ?? end().finally(() => underWay.delete(node));
	underWay.set(node, ending);
	await ending;
}

/**
 * Waits for the end of an earlier test listen of the node. After it n8n takes the test address away,
 * which is the same for each listen: one that began before would hear nothing, and nothing would
 * give its registration back.
 */
export async function earlierTestListenEnded(node: string): Promise<void> {
	await underWay.get(node);
}
