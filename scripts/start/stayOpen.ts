import { untilInterrupted } from '../shared/untilInterrupted';
import { owner } from './settings';

interface Opened {
	url: string;
}

/** Tells where n8n and the sandbox are, and waits until somebody wants them to stop. */
export async function stayOpen(n8n: Opened, sandbox: Opened, more = ''): Promise<void> {
	const interrupted = untilInterrupted();
	console.log(`n8n       ${n8n.url}   (log in with ${owner.email} and ${owner.password})
Sandbox   ${sandbox.url}   (the pages, what was paid, what was delivered)
Next      docs/first-workflow.md   (a workflow of your own, step by step)
${more}
Press Ctrl-C to stop.`);
	await interrupted;
	console.log('\nStopping ...');
}
