import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createProxy, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import express from 'express';
import { version as ownVersion } from '../../../package.json';
import { capture } from '../../../scripts/shared/subprocess';
import { selfSignedCertificate } from '../../support/certificate';
import { cleanUp } from '../../support/cleanUp';
import { makeFolder } from '../../support/temporaryFolders';

/** n8n names this one on npm's command line; only a licensed n8n may be told of another. */
const registryName = 'registry.npmjs.org';

/** npm's command that packs the tarball $0 again as the version $1, beside the folder "package". */
const repack =
	'tar -xzf "$0" && cd package && npm pkg set version="$1" && npm pack --pack-destination ..';

export type NpmRegistry = Awaited<ReturnType<typeof startNpmRegistry>>;

/**
 * Starts a registry under the name of npm's own, behind a proxy that leads nowhere else, for the file
 * that calls it. Of a registry, it has what npm reads: the package, its versions, and their tarballs.
 */
export async function startNpmRegistry() {
	const folder = makeFolder();
	const certificate = await selfSignedCertificate(registryName);
	const cafile = path.join(folder, 'certificate.pem');
	await writeFile(cafile, certificate.cert);

	const versions: Record<string, object> = {};
	const app = express()
		.use('/tarballs', express.static(folder))
		.get('/:name', ({ params: { name } }, response) => {
			response.json({ name, 'dist-tags': { latest: Object.keys(versions).at(-1) }, versions });
		})
		.get('/:name/:version', ({ params: { version } }, response) => {
			const latest = Object.values(versions).at(-1);
			const found = version === 'latest' ? latest : versions[version];
			response.status(found ? 200 : 404).json(found ?? 'version not found');
		});
	const registry = createServer(certificate, app);
	// n8n 2.0 asks the proxy for the whole address, without a tunnel.
	const proxy = createProxy(app).on('connect', ({ url }: IncomingMessage, socket: Socket) => {
		socket.on('error', () => undefined);
		if (url !== `${registryName}:443`) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		registry.emit('connection', socket);
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	cleanUp(async () => {
		registry.closeAllConnections();
		await new Promise((resolve) => proxy.close(resolve));
	});
	const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const cache = path.join(folder, 'cache');
	return {
		/** What lets n8n, and the npm that it starts, take this registry for npm's own. */
		environment: {
			HTTPS_PROXY: proxyUrl,
			NODE_EXTRA_CA_CERTS: cafile,
			// Neither the settings nor the cache of the person whose machine this is.
			npm_config_userconfig: path.join(folder, 'npmrc'),
			npm_config_cache: cache,
			npm_config_update_notifier: 'false',
		},

		/**
		 * Writes the same for npm where an n8n with this folder runs it: an older n8n asks for updates
		 * without handing its environment on.
		 */
		writeSettings: async (userFolder: string) => {
			const npmFolder = path.join(userFolder, '.n8n', 'nodes');
			await mkdir(npmFolder, { recursive: true });
			const registryUrl = `registry=https://${registryName}/`;
			const others = [`https-proxy=${proxyUrl}`, `cafile=${cafile}`, `cache=${cache}`];
			const lines = [registryUrl, ...others, 'update-notifier=false', ''];
			await writeFile(path.join(npmFolder, '.npmrc'), lines.join('\n'));
		},

		/** Adds what is in a tarball, as another version if one is given; it is the latest from now on. */
		async publish(tarball: string, version = ownVersion) {
			const { code, output } = await capture('sh', ['-c', repack, tarball, version], { folder });
			if (code !== 0) throw new Error(`The tarball could not be packed again: ${output}`);
			const file = path.join(folder, 'package', 'package.json');
			const manifest = JSON.parse(await readFile(file, 'utf8')) as { name: string };
			const url = `https://${registryName}/tarballs/${manifest.name}-${version}.tgz`;
			versions[version] = { ...manifest, dist: { tarball: url } };
		},
	};
}
