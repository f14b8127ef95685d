import { PlainError } from '../shared/terminal';

/** A version of n8n that can be run here: how it is installed, and what it does differently. */
export interface Release {
	version: string;
	node?: number; // the major version of Node.js that comes with it; else the one that runs this
	installOptions: string[]; // what its `npm install` needs beside `--ignore-scripts`
	overrides?: Record<string, string>; // versions that npm takes in place of what n8n names
	isOld: boolean; // before n8n's publication service
	agentVersion: number; // the newest of its AI Agent node
}

/** On the oldest Node.js that all parts of n8n allow. */
const older = {
	installOptions: [],
	// It names a file outside of the registry, in place of this version.
	overrides: { xlsx: '0.18.5' },
	isOld: true,
	agentVersion: 3,
};

const newest: Release = {
	version: '2.41.1',
	installOptions: ['--legacy-peer-deps'],
	isOld: false,
	agentVersion: 3.1,
};

/** Oldest first; start, tests and benchmarks run the last one unless another one is chosen. */
export const releases: readonly Release[] = [
	{ version: '1.123.77', node: 22, ...older },
	{ version: '2.0.3', node: 20, ...older },
	newest,
];

/** The release of the version; of the newest one if none is named. */
export function releaseOf(version = newest.version): Release {
	const found = releases.find((release) => release.version === version);
	if (found) return found;
	const known = releases.map((release) => release.version).join(', ');
	throw new PlainError(`n8n "${version}" is not known here. Choose from: ${known}.`);
}
