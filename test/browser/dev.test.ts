import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageFolder } from '../../scripts/localN8n/instance';
import { projectRoot } from '../../scripts/shared/root';
import { watchPackage } from '../../scripts/start';
import { cleanUp } from '../e2e/support/cleanUp';
import { manualTrigger, paymentPage, workflow } from '../e2e/support/workflow';
import { useStage } from './support/stage';

const stage = useStage({ N8N_DEV_RELOAD: 'true' });

/** The sources that `npm run dev` watches, where a test may change them. */
async function copySources(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-dev-'));
	cleanUp(() => rm(folder, { recursive: true }));
	for (const name of ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json']) {
		await cp(path.join(projectRoot, name), path.join(folder, name), { recursive: true });
	}
	await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
	return folder;
}

test('a change of a source is seen in the open editor without a restart', async () => {
	const { n8n, open, editor, details } = stage();
	const source = await copySources();
	const endWatch = watchPackage(source, packageFolder(n8n.userFolder));
	cleanUp(async () => endWatch());
	await open(workflow('Dev', [manualTrigger(), paymentPage({})]));
	await editor.openNode('Payment Page');
	await details.parameters.getByText('Page Name', { exact: true }).waitFor();

	const file = path.join(source, 'nodes', 'PaymentPage', 'fields', 'pageFields.ts');
	const text = await readFile(file, 'utf8');
	const changed = text.replace("label: 'Page Name'", "label: 'What the Page Is Called'");
	expect(changed).not.toBe(text);
	await writeFile(file, changed);
	await details.parameters.getByText('What the Page Is Called', { exact: true }).waitFor();
}, 120_000);
