import { leftToDo } from './publish/leftToDo';
import { runMain } from './shared/main';
import { PlainError } from './shared/plainError';
import { projectRoot } from './shared/root';

/** `npm run publish:check`: rejects a package that is not ready to be published. */
async function publishCheck(): Promise<void> {
	const left = await leftToDo(projectRoot);
	if (left.length === 0) return;
	throw new PlainError(
		`Not ready to be published:\n\n${left.map((line) => `  ${line}`).join('\n')}\n\nCONTRIBUTING.md, "Release", says what to enter.`,
	);
}

runMain(publishCheck);
