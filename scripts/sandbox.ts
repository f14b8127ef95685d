import { startSandbox } from '../sandbox';

/** `npm run sandbox`: the sandbox alone, until Ctrl-C. */
async function main(): Promise<void> {
	const port = Number(process.env.SANDBOX_PORT ?? 4010);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new Error(`SANDBOX_PORT must be a port number, but it is "${process.env.SANDBOX_PORT}".`);
	}
	const sandbox = await startSandbox({ port }).catch((error: unknown) => {
		const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
		if (!isPortTaken) throw error;
		throw new Error(
			`Port ${port} is in use by another program. Stop that program, or choose another port: ` +
				'SANDBOX_PORT=4011 npm run sandbox',
		);
	});
	const stop = (): void => {
		sandbox.stop().catch((error: unknown) => {
			console.error(error);
			process.exitCode = 1;
		});
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);

	const { settings } = sandbox;
	console.log(`The payment pages sandbox is running.

  Status page   ${sandbox.url}
  Base URL      ${sandbox.baseUrl}
  Merchant ID   ${settings.merchantId}
  Private key   ${settings.privateKey}
  API key       ${settings.apiKey}

Press Ctrl-C to stop it.`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
