import path from 'node:path';
import { n8nVersion, release } from '../localN8n/installation';
import { releaseOf } from '../localN8n/releases';
import { PlainError } from '../shared/plainError';
import { chosenPort, freePort } from '../shared/ports';
import { projectRoot } from '../shared/root';
import type { Owner } from '../localN8n/types';

/** Who logs in to the n8n of `npm start`, which only this machine can reach. */
export const owner: Owner = {
	email: 'owner@payment-pages.example',
	password: 'Sandbox-only-1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

/** The commands that start n8n with the main job. */
export type StartCommand = 'npm start' | 'npm run dev' | 'npm run start:queue';

export interface StartArguments {
	command: StartCommand;
	/** Whether to end after the main job instead of staying open. */
	once: boolean;
}

export interface Ports {
	n8n: number;
	sandbox: number;
}

export function readArguments(command: StartCommand, args: string[]): StartArguments {
	const unknown = args.find((argument) => argument !== '--once');
	if (unknown !== undefined) {
		throw new PlainError(`"${unknown}" is not an option. Use: ${command}, or ${command} -- --once`);
	}
	return { command, once: args.includes('--once') };
}

/**
 * Where n8n keeps its data. `--once` has its own, so that it can run beside an open `npm start`, and
 * so has each older version, which cannot read the data of a newer one.
 */
export function userFolderFor({ once }: StartArguments): string {
	const version = release === releaseOf() ? '' : `-${n8nVersion}`;
	// A test starts the command beside what people have there.
	const folder = process.env.PAYMENT_PAGES_DATA || path.join(projectRoot, '.local');
	return path.resolve(folder, `n8n${version}${once ? '-once' : ''}`);
}

/** People keep the addresses of the command; nobody needs those of `--once`, so any port does. */
export async function choosePorts({ command, once }: StartArguments): Promise<Ports> {
	if (once) return { n8n: await freePort(), sandbox: await freePort() };
	return {
		n8n: await chosenPort(command, 'N8N_PORT', 5678),
		sandbox: await chosenPort(command, 'SANDBOX_PORT', 4010),
	};
}
