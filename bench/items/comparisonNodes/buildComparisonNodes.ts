import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

/**
 * Compiles the nodes of this folder into a temporary one, for n8n's setting N8N_CUSTOM_EXTENSIONS;
 * whoever calls it deletes that.
 */
export async function buildComparisonNodes(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-comparison-nodes-'));
	const sources = (await readdir(__dirname)).filter((name) => name.endsWith('.node.ts'));
	for (const source of sources) {
		const { outputText } = transpileModule(await readFile(path.join(__dirname, source), 'utf8'), {
			compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 },
		});
		await writeFile(path.join(folder, source.replace(/\.ts$/, '.js')), outputText);
	}
	return folder;
}
