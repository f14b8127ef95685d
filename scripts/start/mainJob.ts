import type { Sandbox } from '../../sandbox';
import type { N8nClient } from '../localN8n/client';
import { saveSandboxCredentials } from '../localN8n/credentials';
import { DataTables } from '../localN8n/dataTables';
import {
	type ExampleFile,
	exampleFiles,
	readExample,
	withCredentials,
	withSubWorkflows,
} from '../localN8n/examples';
import { type Execution, failureOf } from '../localN8n/execution';
import { PlainError } from '../shared/plainError';
import { changeCrm, customers, fillCrm } from './crm';
import { payOnePage } from './payment';
import { reportTable } from './report';

/** Puts credentials and example workflows into n8n; gives the workflows' ids by file. */
async function setUp(client: N8nClient, sandbox: Sandbox): Promise<Map<ExampleFile, string>> {
	const credentials = await saveSandboxCredentials(client, sandbox);
	const ids = new Map<ExampleFile, string>();
	for (const file of exampleFiles) {
		const workflow = withCredentials(await readExample(file), credentials);
		const stored = await client.listWorkflows();
		ids.set(file, (await client.saveWorkflow(withSubWorkflows(workflow, stored))).id);
	}
	return ids;
}

/**
 * The whole circle with the example workflows: the rows of `crm.csv` become payment pages; the CRM
 * changes, and the pages follow; a payment marks its row as paid. Prints the rows with their links.
 */
export async function runMainJob(client: N8nClient, sandbox: Sandbox): Promise<void> {
	const tables = new DataTables(client.session, await client.personalProjectId());
	const ids = await setUp(client, sandbox);
	const run = async (file: ExampleFile): Promise<Execution> => {
		const execution = await client.run(ids.get(file) ?? '');
		if (execution.status === 'success') return execution;
		throw new PlainError(`The example workflow ${file} failed. ${failureOf(execution)}`);
	};

	await fillCrm(tables);
	await run('create-pages-from-crm');
	console.log(`Payment pages created from the rows of crm.csv: ${sandbox.state.pages.size}.`);

	await changeCrm(tables);
	await run('check-and-update-or-create');
	console.log(
		'Then the CRM changed (one amount, two new customers): existing pages were updated, missing ones created.',
	);

	const paid = await payOnePage(client, sandbox, tables, ids.get('mark-row-as-paid') ?? '');
	console.log(
		`A payment in the sandbox started a workflow: ${String(paid['customerName'])} (${String(paid['reference'])}) is now ${String(paid['paymentStatus'])}.`,
	);

	console.log(`\n${reportTable(await customers(tables))}\n`);
}
