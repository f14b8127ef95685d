import path from 'node:path';
import { freePort, isPortFree } from '../shared/ports';
import { PlainError } from '../shared/plainError';
import { projectRoot } from '../shared/root';
import type { Owner } from '../n8n/types';

/** Who logs in to the n8n of `npm start`, which only this machine can reach. */
export const owner: Owner = {
	email: 'owner@payment-pages.example',
	password: 'Sandbox-only-1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

export interface StartArguments {
	/** Whether to end after the main job instead of staying open. */
	once: boolean;
	/** `--once` has its own, so that it can run beside an open `npm start`. */
	userFolder: string;
}

export interface Ports {
	n8n: number;
	sandbox: number;
}

export function readArguments(args: string[]): StartArguments {
	const unknown = args.find((argument) => argument !== '--once');
	if (unknown !== undefined) {
		throw new PlainError(`"${unknown}" is not known here. Use: npm start, or npm start -- --once`);
	}
	const once = args.includes('--once');
	const userFolder = path.join(projectRoot, '.local', once ? 'n8n-once' : 'n8n');
	return { once, userFolder };
}

async function chosenPort(variable: string, usual: number): Promise<number> {
	const value = process.env[variable] ?? String(usual);
	const port = Number(value);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new PlainError(`${variable} must be a port number, but it is "${value}".`);
	}
	if (await isPortFree(port)) return port;
	throw new PlainError(
		`Port ${port} is in use, perhaps by an "npm start" that is still open. ` +
			`Stop that program, or choose another port: ${variable}=${port + 1} npm start`,
	);
}

/** People keep the addresses of `npm start`; nobody needs those of `--once`, so any port does. */
export async function choosePorts({ once }: StartArguments): Promise<Ports> {
	if (once) return { n8n: await freePort(), sandbox: await freePort() };
	return {
		n8n: await chosenPort('N8N_PORT', 5678),
		sandbox: await chosenPort('SANDBOX_PORT', 4010),
	};
}
