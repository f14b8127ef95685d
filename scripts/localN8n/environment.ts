import path from 'node:path';
import { cacheFolder, nodeExecutable } from './installation';

type Addresses = { userFolder: string; port: number; brokerPort: number };

/** Settings of an n8n on this machine alone: none of the caller's, such as a proxy or DB_TYPE. */
export function n8nEnvironment({ userFolder, port, brokerPort }: Addresses): NodeJS.ProcessEnv {
	const { PATH, HOME, TMPDIR, TZ, LANG } = process.env;
	const address = `http://127.0.0.1:${port}/`;
	return {
		// n8n starts its task runners as "node": they get the one that n8n runs on.
		PATH: [path.dirname(nodeExecutable()), PATH].join(path.delimiter),
		...{ HOME, TMPDIR, TZ, LANG },
		// Compiling n8n's own code takes a quarter of the work of its start.
		NODE_COMPILE_CACHE: path.join(cacheFolder(), 'compiled'),
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: address,
		WEBHOOK_URL: address,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// Community packages are what this is about; Python in Code nodes is not.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_PYTHON_ENABLED: 'false',
		// Without HTTPS the browser would not send a secure cookie back.
		N8N_SECURE_COOKIE: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
		// What keeps n8n busy for 5 s would pass for a lost database, and be answered 503.
		DB_PING_TIMEOUT_MS: '600000',
		// Nothing here may depend on, or tell anything to, a server elsewhere.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	};
}
