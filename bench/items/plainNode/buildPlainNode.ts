import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ModuleKind, transpileModule } from 'typescript';

const source = path.join(__dirname, 'PlainPaymentPage.node.ts');

/**
 * Compiles the comparison node into a temporary folder, for n8n's setting N8N_CUSTOM_EXTENSIONS;
 * whoever calls it deletes the folder.
 */
export async function buildPlainNode(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-plain-node-'));
	const { outputText } = transpileModule(await readFile(source, 'utf8'), {
		compilerOptions: { module: ModuleKind.CommonJS },
	});
	await writeFile(path.join(folder, 'PlainPaymentPage.node.js'), outputText);
	return folder;
}
