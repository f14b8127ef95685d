import { buildPackage } from './build';
import { placeholdersIn } from './publish/placeholders';
import { runMain } from './shared/main';
import { PlainError } from './shared/plainError';
import { projectRoot } from './shared/root';

/** `npm run publish:check`: builds, and refuses a package with addresses that lead nowhere. */
async function publishCheck(): Promise<void> {
	await buildPackage();
	const left = await placeholdersIn(projectRoot);
	if (left.length === 0) return;
	throw new PlainError(
		`This must not be published: replace the placeholder addresses with your own.\n${left.join('\n')}\nCONTRIBUTING.md says where they come from.`,
	);
}

runMain(publishCheck);
