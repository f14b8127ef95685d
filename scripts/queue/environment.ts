/** Where a server is, and how to log in to it. */
export type ServerAddress = { host: string; port: number; password: string };

/** n8n's database and its user in PostgreSQL. */
export const database = { name: 'n8n', user: 'n8n' };

export interface QueueAddresses {
	postgres: ServerAddress;
	redis: ServerAddress;
	publicUrl: string; // the address of the reverse proxy, under which people and services reach n8n
	encryptionKey: string;
}

/** What each process of queue mode needs beside the settings of a single n8n; the same for all. */
export function queueEnvironment(addresses: QueueAddresses): Record<string, string> {
	const { postgres, redis, publicUrl, encryptionKey } = addresses;
	return {
		EXECUTIONS_MODE: 'queue',
		// Otherwise the main process runs what people start by hand; n8n 3 always does this.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// An event then asks for an isolate only if it needs one.
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		// Each process would make one of its own, and could not read the others' credentials.
		N8N_ENCRYPTION_KEY: encryptionKey,
		N8N_EDITOR_BASE_URL: publicUrl,
		WEBHOOK_URL: publicUrl,
		N8N_PROXY_HOPS: '1',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.host,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: database.name,
		DB_POSTGRESDB_USER: database.user,
		DB_POSTGRESDB_PASSWORD: postgres.password,
		QUEUE_BULL_REDIS_HOST: redis.host,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		QUEUE_BULL_REDIS_PASSWORD: redis.password,
	};
}
