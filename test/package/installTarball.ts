import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';
import { makeFolder } from './temporaryFolders';

export interface InstalledPackage {
	folder: string;
	/** Every file in the tarball, relative to the package, exactly as it is spelled there. */
	files: string[];
}

/** Unpacks a tarball the way n8n installs a community package: beside n8n's own `n8n-workflow`. */
export function installTarball(tarball: string): InstalledPackage {
	const modules = path.join(makeFolder(), 'node_modules');
	const folder = path.join(modules, 'n8n-nodes-payment-pages');
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	symlinkSync(
		path.join(projectRoot, 'node_modules/n8n-workflow'),
		path.join(modules, 'n8n-workflow'),
	);
	const listing = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
	const files = listing.split('\n').filter((line) => line !== '' && !line.endsWith('/'));
	return { folder, files: files.map((file) => file.replace(/^package\//, '')) };
}
