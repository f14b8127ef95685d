import { cpus, loadavg, totalmem } from 'node:os';
import { version } from '../../package.json';
import { n8nVersion } from '../../scripts/localN8n/installation';

/** The load averages of the last 1, 5 and 15 minutes: how many processes wanted a core. */
export function machineLoad(): string {
	return loadavg()
		.map((value) => value.toFixed(1))
		.join(', ');
}

/** On what, with what and when something was measured. */
export function circumstances(): string {
	const [core] = cpus();
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	return [
		`${new Date().toISOString().slice(0, 10)}, version ${version} of the package`,
		`n8n ${n8nVersion}`,
		`Node ${process.versions.node}`,
		`${cpus().length} cores (${core?.model.trim() ?? 'unknown'})`,
		`${gigabytes} GB of memory`,
	].join(', ');
}
