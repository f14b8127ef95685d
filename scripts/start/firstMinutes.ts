import { installN8n, isInstalled } from '../localN8n/install';
import { cacheFolder, n8nVersion } from '../localN8n/installation';
import type { Ports, StartArguments } from './settings';

/** What people read while n8n is installed. */
export function firstMinutes({ once }: Pick<StartArguments, 'once'>, ports: Ports): string {
	const reason = `The first start takes up to 10 minutes, because npm has to install n8n ${n8nVersion}: about 2,000 packages,
2.2 GB, once for this machine, in ${cacheFolder()}. The next start takes less than a minute.
`;
	// It ends after the job, so there will be nothing to open.
	if (once) return reason;
	return `${reason}
When it is ready, you have:
  n8n       http://127.0.0.1:${ports.n8n}   with example workflows that have created pages from a list of customers
  Sandbox   http://127.0.0.1:${ports.sandbox}   a payment service on this machine: open one of the pages there and pay it
Until then, README.md shows how to create your first page, and examples/README.md what the workflows do.
`;
}

/** Installs n8n, unless it is there, and gives people something to read meanwhile. */
export async function installForStart(chosen: StartArguments, ports: Ports): Promise<void> {
	if (!isInstalled()) console.log(firstMinutes(chosen, ports));
	await installN8n();
}
