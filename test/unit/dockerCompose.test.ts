import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { n8nVersion } from '../../scripts/localN8n/installation';
import { debianPackages } from '../../scripts/queue/debian';
import { database, queueEnvironment } from '../../scripts/queue/environment';
import { helpers } from '../../scripts/queue/queueMode';
import { redisSettings, routingFile } from '../../scripts/queue/servers';
import { projectRoot } from '../../scripts/shared/root';
import packageJson from '../../package.json';

/** What is read of a service in the file for Docker. */
interface Service {
	image: string;
	command?: string[];
	environment?: Record<string, string>;
	volumes?: string[];
}

const composeFile = path.join(projectRoot, 'docker', 'docker-compose.yml');
const { services } = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
	services: Record<string, Service>;
};

/** What people put into `.env`, where the script makes something up. */
const passwords = { postgres: '${POSTGRES_PASSWORD:?}', redis: '${REDIS_PASSWORD:?}' };

const commands: Record<string, string> = { main: 'start', ...helpers };

test('has the services that the script starts, and one that installs the package', () => {
	const others = ['postgres', 'redis', 'proxy', 'package'];
	expect(Object.keys(services).sort()).toEqual([...Object.keys(commands), ...others].sort());
	expect(services['package']).toMatchObject({
		image: expect.stringMatching(`:${n8nVersion}$`),
		command: [`${packageJson.name}@${packageJson.version}`],
		volumes: ['community-nodes:/nodes'],
	});
});

test.each(Object.entries(commands))('runs %s as the script does', (name, command) => {
	expect(services[name]).toMatchObject({
		image: expect.stringMatching(`:${n8nVersion}$`),
		command: [command],
		environment: queueEnvironment({
			postgres: { host: 'postgres', port: 5432, password: passwords.postgres },
			redis: { host: 'redis', port: 6379, password: passwords.redis },
			publicUrl: '${PUBLIC_URL:?}',
			encryptionKey: '${N8N_ENCRYPTION_KEY:?}',
		}),
		volumes: ['community-nodes:/home/node/.n8n/nodes:ro'],
	});
});

test('has no setting of n8n that the script does not have', () => {
	const all = Object.keys(commands).map((name) => Object.keys(services[name]?.environment ?? {}));
	const address = { host: '', port: 0, password: '' };
	const known = queueEnvironment({
		postgres: address,
		redis: address,
		publicUrl: '',
		encryptionKey: '',
	});
	for (const names of all) expect(names.sort()).toEqual(Object.keys(known).sort());
});

test('runs PostgreSQL and Redis as the script does', () => {
	expect(services['postgres']?.environment).toEqual({
		POSTGRES_DB: database.name,
		POSTGRES_USER: database.user,
		POSTGRES_PASSWORD: passwords.postgres,
	});
	const settings = Object.entries(redisSettings(passwords.redis));
	expect(services['redis']?.command).toEqual([
		'redis-server',
		...settings.flatMap(([name, value]) => [`--${name}`, value]),
	]);
});

test('routes as the script does, to processes that exist', () => {
	const [file, place] = services['proxy']?.volumes?.[0]?.split(':') ?? [];
	expect(path.resolve(path.dirname(composeFile), file ?? '')).toBe(routingFile);
	expect(place).toBe('/etc/nginx/conf.d/default.conf');
	const routing = readFileSync(routingFile, 'utf8');
	const targets = [...routing.matchAll(/server ([\w-]+):5678/g)].map(([, name]) => name);
	const receivers = Object.keys(commands).filter((name) => commands[name] !== 'worker');
	expect(targets.sort()).toEqual(receivers.sort());
});

test('needs on Debian what CI installs', () => {
	const ci = readFileSync(path.join(projectRoot, '.ci', 'run'), 'utf8');
	for (const name of debianPackages) expect(ci).toContain(`packages+=(${name})`);
});
