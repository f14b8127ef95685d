import { chown } from 'node:fs/promises';
import { capture } from '../shared/subprocess';

/** Who runs the servers when root starts them: PostgreSQL refuses to run as root. */
const user = { name: 'nobody', id: 65_534, group: 'nogroup', groupId: 65_534 };

function isRoot(): boolean {
	return process.getuid?.() === 0;
}

/** Gives a file or folder to the user who runs the servers. */
export async function giveToServers(file: string): Promise<void> {
	if (isRoot()) await chown(file, user.id, user.groupId);
}

interface Command {
	program: string;
	args: string[];
}

/**
 * A command as an unprivileged user.
 *
 * @param endSignal what the program gets when the process that starts it ends, also by a kill
 */
export function unprivileged(
	program: string,
	args: string[],
	endSignal: NodeJS.Signals = 'SIGTERM',
): Command {
	const asUser = [`--reuid=${user.name}`, `--regid=${user.group}`, '--clear-groups'];
	return {
		program: 'setpriv',
		args: [
			...(isRoot() ? asUser : []),
			`--pdeathsig=${endSignal.replace('SIG', '')}`,
			'--',
			program,
			...args,
		],
	};
}

/** Runs a command as an unprivileged user to its end. */
export async function runUnprivileged(
	program: string,
	args: string[],
	folder: string,
	environment: NodeJS.ProcessEnv = {},
): Promise<void> {
	const command = unprivileged(program, args);
	const { code, output } = await capture(command.program, command.args, { folder, environment });
	if (code !== 0) throw new Error(`${program} failed: ${output}`);
}
