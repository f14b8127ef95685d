import { startSandbox } from '../sandbox';
import { runMain, untilInterrupted } from './shared/terminal';
import { chosenPort } from './shared/ports';

/** `npm run sandbox`: the sandbox alone, until Ctrl-C. */
async function sandboxAlone(): Promise<void> {
	const port = await chosenPort('npm run sandbox', 'SANDBOX_PORT', 4010);
	const sandbox = await startSandbox({ port });
	const interrupted = untilInterrupted();
	const { merchantId, privateKey, apiKey } = sandbox.settings;
	console.log(`Status page   ${sandbox.url}
Base URL      ${sandbox.baseUrl}
Merchant ID   ${merchantId}
Private key   ${privateKey}
API key       ${apiKey}
Press Ctrl-C to stop it.`);
	await interrupted;
	await sandbox.stop();
}

runMain(sandboxAlone);
