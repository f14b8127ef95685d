import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { n8nVersion } from '../../scripts/localN8n/installation';
import { database, queueEnvironment } from '../../scripts/queue/environment';
import { helpers } from '../../scripts/queue/queueMode';
import { redisSettings, routingFile } from '../../scripts/queue/servers';
import { projectRoot } from '../../scripts/shared/root';
import packageJson from '../../package.json';

const folder = path.join(projectRoot, 'docker');
const file = readFileSync(path.join(folder, 'docker-compose.yml'), 'utf8');
const { services } = parse(file, { merge: true }) as { services: Record<string, object> };

const commands: Record<string, string> = { main: 'start', ...helpers };
const image = expect.stringMatching(`:${n8nVersion}$`);

/** What people put into `.env`, where the script makes something up. */
const passwords = { postgres: '${POSTGRES_PASSWORD:?}', redis: '${REDIS_PASSWORD:?}' };
const environment = queueEnvironment({
	postgres: { host: 'postgres', port: 5432, password: passwords.postgres },
	redis: { host: 'redis', port: 6379, password: passwords.redis },
	publicUrl: '${PUBLIC_URL:?}',
	encryptionKey: '${N8N_ENCRYPTION_KEY:?}',
});

test.each(Object.entries(commands))('runs %s as the script does', (name, command) => {
	const volumes = ['community-nodes:/home/node/.n8n/nodes:ro'];
	expect(services[name]).toMatchObject({ image, command: [command], volumes });
	expect(services[name]).toHaveProperty('environment', environment);
});

test('installs the package, and runs the other servers as the script does', () => {
	const others = ['postgres', 'redis', 'proxy', 'package'];
	expect(Object.keys(services).sort()).toEqual([...Object.keys(commands), ...others].sort());
	const command = [`${packageJson.name}@${packageJson.version}`];
	expect(services.package).toMatchObject({ image, command, volumes: ['community-nodes:/nodes'] });
	const { name: POSTGRES_DB, user: POSTGRES_USER } = database;
	const login = { POSTGRES_DB, POSTGRES_USER, POSTGRES_PASSWORD: passwords.postgres };
	expect(services.postgres).toHaveProperty('environment', login);
	const settings = Object.entries(redisSettings(passwords.redis));
	const options = settings.flatMap(([key, value]) => [`--${key}`, value]);
	expect(services.redis).toHaveProperty('command', ['redis-server', ...options]);
	const volume = `./${path.relative(folder, routingFile)}:/etc/nginx/conf.d/default.conf:ro`;
	expect(services.proxy).toHaveProperty('volumes', [volume]);
});
