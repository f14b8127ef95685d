import { mixedFaults } from '../../sandbox';
import { runItems as outputOf } from '../../scripts/localN8n/execution';
import {
	type Contestant,
	createContestants,
	measuredNode,
	storeWorkflow,
} from '../items/contestants';
import { runOnce } from '../items/runItems';
import { type Bench, withBench } from '../shared/bench';
import { table } from '../shared/markdown';
import type { Options } from '../shared/options';
import { peakDuring } from '../shared/peak';
import type { Report } from '../shared/report';
import { rounded } from '../shared/statistics';

const mostRuns = 20;

/** So many times the items of the other parts. */
const times = 5;

function skippingWhatExists({ name, node }: Contestant): Contestant {
	const options = { maxParallelRequests: 20 };
	const parameters = { ...node.parameters, ifReferenceExists: 'skip', options };
	return { name, node: { ...node, onError: 'continueErrorOutput', parameters } };
}

/** Fails unless each row became exactly one page; the rows have as many references. */
function expectEachPageOnce({ sandbox }: Bench, pages: number): void {
	const found = [...sandbox.state.pages.values()].map((page) => page.paymentPageLinkReference);
	const references = new Set(found).size;
	if (found.length !== pages || references !== pages) {
		throw new Error(`${found.length} pages with ${references} references were made.`);
	}
}

/**
 * Thousands of creates on a bad day of the service, the same workflow run again until all are done:
 * no page twice, none missing; and what n8n's memory does meanwhile.
 */
export async function benchSoak({ items }: Options, report: Report): Promise<void> {
	const pages = times * items;
	await report.add(`${pages} creates, 5% of the requests fail.`);
	await withBench({}, async (bench) => {
		const { meter, sandbox } = bench;
		sandbox.configure({ faults: mixedFaults });
		const { automatic } = await createContestants(bench);
		const workflowId = await storeWorkflow(bench, skippingWhatExists(automatic), pages);
		const rows: Array<Array<string | number>> = [];
		while (sandbox.state.pages.size < pages) {
			if (rows.length === mostRuns) throw new Error(`${mostRuns} runs were not enough.`);
			sandbox.state.requests.length = 0;
			const { result, peak } = await peakDuring(meter, runOnce(bench, workflowId));
			rows.push([
				`run ${rows.length + 1}`,
				rounded(result.run.milliseconds),
				sandbox.state.requests.length,
				outputOf(result.execution, measuredNode, 1).length,
				sandbox.state.pages.size,
				rounded(peak / 1024 ** 2, 1),
			]);
		}
		expectEachPageOnce(bench, pages);
		await report.add(
			table(['', 'ms', 'requests', 'failed items', 'pages so far', 'peak heap, MB'], rows),
		);
	});
}
