import { startSandbox } from '../sandbox';
import { runMain, untilInterrupted } from './shared/terminal';
import { chosenPort } from './shared/ports';

/** `npm run sandbox`: the sandbox alone, until Ctrl-C. */
async function sandboxAlone(): Promise<void> {
	const port = await chosenPort('npm run sandbox', 'SANDBOX_PORT', 4010);
	const sandbox = await startSandbox({ port });
	const interrupted = untilInterrupted();
	const { settings } = sandbox;
	console.log(`The payment pages sandbox is running.

  Status page   ${sandbox.url}
  Base URL      ${sandbox.baseUrl}
  Merchant ID   ${settings.merchantId}
  Private key   ${settings.privateKey}
  API key       ${settings.apiKey}

Press Ctrl-C to stop it.`);
	await interrupted;
	await sandbox.stop();
}

runMain(sandboxAlone);
