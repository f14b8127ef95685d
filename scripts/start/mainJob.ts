import type { Bed } from '../localN8n/bed';
import type { DataTableRow } from '../localN8n/dataTables';
import * as examples from '../localN8n/examples';
import { failureOf } from '../localN8n/execution';
import { PlainError } from '../shared/terminal';
import { waitFor } from '../shared/waitFor';
import { changeCrm, customers, fillCrm } from './crm';

/** Puts the example workflows into n8n; gives their ids by file. */
async function setUp({ client, credentials }: Pick<Bed, 'client' | 'credentials'>) {
	const ids = new Map<examples.ExampleFile, string>();
	for (const file of examples.exampleFiles) {
		const stored = await client.listWorkflows();
		const example = examples.withCredentials(await examples.readExample(file), credentials);
		const workflow = examples.withSubWorkflows(example, stored);
		const old = stored.find(({ name }) => name === workflow.name);
		const saved = old ? client.updateWorkflow(old.id, workflow) : client.createWorkflow(workflow);
		ids.set(file, (await saved).id);
	}
	return ids;
}

function show({ customerName, amount, paymentStatus, paymentPageLink }: DataTableRow): void {
	const name = String(customerName).padEnd(28);
	const money = Number(amount).toFixed(2).padStart(10);
	const status = String(paymentStatus ?? 'open').padEnd(6);
	console.log(`${name}  ${money}  ${status}  ${String(paymentPageLink ?? '-')}`);
}

/** The whole circle with the example workflows, from the rows of `crm.csv` to one that is paid. */
export async function runMainJob({ client, sandbox, credentials }: Bed): Promise<void> {
	const tables = await client.dataTables();
	const ids = await setUp({ client, credentials });
	const run = async (file: examples.ExampleFile): Promise<void> => {
		const execution = await client.run(ids.get(file) ?? '');
		if (execution.status === 'success') return;
		throw new PlainError(`The example workflow ${file} failed. ${failureOf(execution)}`);
	};

	await fillCrm(tables);
	await run('create-pages-from-crm');
	console.log(`Payment pages created from the rows of crm.csv: ${sandbox.state.pages.size}.`);

	await changeCrm(tables);
	await run('check-and-update-or-create');
	console.log(`Then the CRM changed (one amount, two new customers):
existing pages were updated, missing ones created.`);

	const trigger = ids.get('mark-row-as-paid') ?? '';
	// Again: n8n calls no trigger when it starts, and the sandbox begins without a registration.
	await client.deactivate(trigger);
	const { status, triggers } = await client.activate(trigger);
	if (status !== 'published') throw new PlainError(`Not published: ${JSON.stringify(triggers)}`);
	// The examples make test pages.
	await sandbox.pay('test-inv-2026-0101');
	const isPaid = (row: DataTableRow) =>
		row['reference'] === 'inv-2026-0101' && row['paymentStatus'] === 'paid';
	const paid = await waitFor(async () => (await tables.rows(examples.crmTable)).find(isPaid), {
		what: 'the CRM row inv-2026-0101 to be marked as paid',
		timeoutMilliseconds: 60_000,
	});
	const payer = `${String(paid['customerName'])} (inv-2026-0101)`;
	console.log(`A payment in the sandbox started a workflow: ${payer} is now paid.`);
	for (const row of await customers(tables)) show(row);
	console.log();
}
