import path from 'node:path';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';

/** Names a mutant that nobody notices at once, in one line: a long run may be broken off. */
class Survivors {
	onMutantTested({ status, fileName, location, mutatorName, replacement }) {
		if (status !== 'Survived' && status !== 'NoCoverage') return;
		const place = `${path.relative('', fileName)}:${location.start.line}`;
		const change = replacement.replaceAll(/\s+/g, ' ').slice(0, 100);
		process.stdout.write(`${status} ${place} ${mutatorName}: ${change}\n`);
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'survivors', Survivors)];
