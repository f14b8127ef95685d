import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createProxy, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { capture } from '../../../scripts/shared/subprocess';
import { selfSignedCertificate } from '../../support/certificate';

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
	/** Adds what is in a tarball, as another version if one is given; it is the latest from now on. */
	publish(tarball: string, version?: string): Promise<void>;
	stop(): Promise<void>;
}

async function tar(...args: string[]): Promise<void> {
	const { code, output } = await capture('tar', args);
	if (code !== 0) throw new Error(`tar failed: ${output}`);
}

/** Packs what is in a tarball as another version of the package. */
async function readVersion(tarball: string, version?: string): Promise<Version> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-version-'));
	await tar('--extract', '--file', tarball, '--directory', folder);
	const manifestFile = path.join(folder, 'package', 'package.json');
	const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Version['manifest'];
	if (version !== undefined) manifest.version = version;
	await writeFile(manifestFile, JSON.stringify(manifest));
	const packed = path.join(folder, 'packed.tgz');
	await tar('--create', '--gzip', '--file', packed, '--directory', folder, 'package');
	const read = { manifest, tarball: await readFile(packed) };
	await rm(folder, { recursive: true });
	return read;
}

/** The part of a registry that reads: the package, its versions, and their tarballs. */
function registryApp(published: Version[]) {
	const described = ({ manifest, tarball }: Version) => ({
		...manifest,
		dist: {
			integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
			tarball: `https://${registryName}/${manifest.name}/-/${manifest.version}.tgz`,
		},
	});
	const find = (name = '', version = 'latest') =>
		published.findLast(
			({ manifest }) =>
				manifest.name === name && (version === 'latest' || manifest.version === version),
		);
	return express()
		.get('/:name', ({ params: { name } }, response) => {
			const latest = find(name)?.manifest.version;
			const versions = published.map((each) => [each.manifest.version, described(each)] as const);
			const all = { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
			response.status(latest === undefined ? 404 : 200).json(latest === undefined ? {} : all);
		})
		.get('/:name/:version', ({ params: { name, version } }, response) => {
			const found = find(name, version);
			response.status(found ? 200 : 404).json(found ? described(found) : 'version not found');
		})
		.get('/:name/-/:version.tgz', ({ params: { name, version } }, response) => {
			response.send(find(name, version)?.tarball);
		});
}

/** Starts a registry on this machine under the name of npm's own, behind a proxy that leads nowhere else. */
export async function startNpmRegistry(): Promise<NpmRegistry> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-registry-'));
	const certificate = await selfSignedCertificate(registryName);
	const cafile = path.join(folder, 'certificate.pem');
	await writeFile(cafile, certificate.cert);

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
		if (url !== `${registryName}:443`) {
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		registry.emit('connection', socket);
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const cache = path.join(folder, 'cache');
	return {
		environment: {
			HTTPS_PROXY: proxyUrl,
			NODE_EXTRA_CA_CERTS: cafile,
			// Neither the settings nor the cache of the person whose machine this is.
			npm_config_userconfig: path.join(folder, 'npmrc'),
			npm_config_cache: cache,
			npm_config_update_notifier: 'false',
		},
		async writeSettings(to) {
			const registryUrl = `registry=https://${registryName}/`;
			const others = [`https-proxy=${proxyUrl}`, `cafile=${cafile}`, `cache=${cache}`];
			await mkdir(to, { recursive: true });
			const lines = [registryUrl, ...others, 'update-notifier=false', ''];
			await writeFile(path.join(to, '.npmrc'), lines.join('\n'));
		},
		async publish(tarball, version) {
			published.push(await readVersion(tarball, version));
		},
		async stop() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => proxy.close(resolve));
			await rm(folder, { recursive: true });
		},
	};
}
