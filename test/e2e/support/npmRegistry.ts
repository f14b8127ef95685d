import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createProxy, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { capture } from '../../../scripts/shared/subprocess';
import { selfSignedCertificate } from '../../certificate';

/** n8n names this one on npm's command line; only a licensed n8n may be told of another. */
const registryName = 'registry.npmjs.org';

interface Version {
	manifest: { name: string; version: string };
	tarball: Buffer;
}

export interface NpmRegistry {
	/** What lets n8n, and the npm that it starts, take this registry for npm's own. */
	environment: Record<string, string>;
	/**
	 * Writes the same for npm into the folder in which n8n runs it: an older n8n asks for updates
	 * without handing its environment on.
	 */
	writeSettings(folder: string): Promise<void>;
	/** Adds a packed version, which is the latest from now on. */
	publish(tarball: string): Promise<void>;
	stop(): Promise<void>;
}

async function readVersion(tarball: string): Promise<Version> {
	const member = ['--extract', '--to-stdout', '--file', tarball, 'package/package.json'];
	const { code, output } = await capture('tar', member);
	if (code !== 0) throw new Error(`${tarball} can't be read: ${output}`);
	return { manifest: JSON.parse(output) as Version['manifest'], tarball: await readFile(tarball) };
}

/** The part of a registry that reads: packages, their versions, and their tarballs. */
function registryApp(published: Version[]) {
	const describe = ({ manifest, tarball }: Version) => ({
		...manifest,
		dist: {
			integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
			tarball: `https://${registryName}/${manifest.name}/-/${manifest.version}.tgz`,
		},
	});
	const of = (name: string) => published.filter(({ manifest }) => manifest.name === name);
	const find = (name: string, version: string) =>
		version === 'latest'
			? of(name).at(-1)
			: of(name).find(({ manifest }) => manifest.version === version);
	return express()
		.get('/:name', ({ params: { name } }, response) => {
			const versions = of(name).map(describe);
			const latest = versions.at(-1)?.version;
			if (latest === undefined) {
				response.status(404).json({ error: 'Not found' });
				return;
			}
			response.json({
				name,
				'dist-tags': { latest },
				versions: Object.fromEntries(versions.map((each) => [each.version, each])),
			});
		})
		.get('/:name/:version', ({ params: { name, version } }, response) => {
			const found = find(name, version);
			if (found) response.json(describe(found));
			else response.status(404).json(`version not found: ${version}`);
		})
		.get('/:name/-/:version.tgz', ({ params: { name, version } }, response) => {
			response.send(find(name, version)?.tarball);
		});
}

/** Starts a registry on this machine under the name of npm's own, behind a proxy that leads nowhere else. */
export async function startNpmRegistry(): Promise<NpmRegistry> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-registry-'));
	const certificate = await selfSignedCertificate(registryName);
	const certificateFile = path.join(folder, 'certificate.pem');
	await writeFile(certificateFile, certificate.cert);

	const published: Version[] = [];
	const app = registryApp(published);
	const registry = createServer(certificate, app);
	const sockets = new Set<Socket>();
	const proxy = createProxy((request, response) => {
		// n8n 2.0 asks the proxy for the whole address, without a tunnel.
		if (request.url?.startsWith(`https://${registryName}/`)) app(request, response);
		else response.writeHead(403).end();
	});
	proxy.on('connect', ({ url }: IncomingMessage, socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
		if (url === `${registryName}:443`) {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			registry.emit('connection', socket);
		} else {
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		}
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const cache = path.join(folder, 'cache');
	return {
		environment: {
			HTTPS_PROXY: proxyUrl,
			NODE_EXTRA_CA_CERTS: certificateFile,
			// Neither the settings nor the cache of the person whose machine this is.
			npm_config_userconfig: path.join(folder, 'npmrc'),
			npm_config_cache: cache,
			npm_config_update_notifier: 'false',
		},
		async writeSettings(to) {
			const settings = {
				registry: `https://${registryName}/`,
				'https-proxy': proxyUrl,
				cafile: certificateFile,
				cache,
				'update-notifier': 'false',
			};
			const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
			await mkdir(to, { recursive: true });
			await writeFile(path.join(to, '.npmrc'), lines.join(''));
		},
		async publish(tarball) {
			published.push(await readVersion(tarball));
		},
		async stop() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => proxy.close(resolve));
			await rm(folder, { recursive: true });
		},
	};
}
