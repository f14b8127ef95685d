import type { Sandbox } from '../../sandbox';
import type { N8nClient } from '../localN8n/client';
import type { DataTableRow, DataTables } from '../localN8n/dataTables';
import { crmTable } from '../localN8n/examples';
import { PlainError } from '../shared/plainError';
import { waitFor } from '../shared/waitFor';

/** The row whose page is paid; the examples make test pages. */
const reference = 'inv-2026-0101';
const pageReference = `test-${reference}`;

/**
 * Publishes a workflow anew: n8n calls no trigger when it starts, and the sandbox begins without a
 * registration.
 */
async function publish(client: N8nClient, workflowId: string): Promise<void> {
	await client.deactivate(workflowId);
	const { status, triggers } = await client.activate(workflowId);
	if (status === 'published') return;
	const reason = triggers.map(({ errorMessage }) => errorMessage).find(Boolean);
	throw new PlainError(`The example "mark-row-as-paid" was not published. ${reason ?? ''}`);
}

/**
 * The other half of the circle: a payer pays a page, the service tells n8n, and the workflow marks
 * the CRM row as paid.
 *
 * @returns the row
 */
export async function payOnePage(
	client: N8nClient,
	sandbox: Sandbox,
	tables: DataTables,
	workflowId: string,
): Promise<DataTableRow> {
	await publish(client, workflowId);
	await sandbox.pay(pageReference);
	return waitFor(
		async () =>
			(await tables.rows(crmTable)).find(
				(row) => row['reference'] === reference && row['paymentStatus'] === 'paid',
			),
		{ what: `the CRM row ${reference} to be marked as paid`, timeoutMilliseconds: 60_000 },
	);
}
