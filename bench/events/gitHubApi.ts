import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

interface HookRequest {
	config: { url: string; secret: string };
	events: string[];
}

/** A stand-in for the part of GitHub's API with which a trigger registers a webhook. */
export interface GitHubApi {
	/** For the credential's field "Github Server". */
	url: string;
	/** The registered webhook; undefined before the trigger was activated. */
	hook(): HookRequest['config'] | undefined;
	stop(): Promise<void>;
}

/** Starts the stand-in on a free port of 127.0.0.1; it accepts every repository and every token. */
export async function startGitHubApi(): Promise<GitHubApi> {
	const server = fastify();
	let hook: HookRequest['config'] | undefined;
	server.post<{ Body: HookRequest }>('/repos/:owner/:repository/hooks', (request, reply) => {
		hook = request.body.config;
		void reply.code(201).send({ id: 1, active: true, events: request.body.events });
	});
	server.get('/repos/:owner/:repository/hooks/:id', (_request, reply) => {
		void reply.send({ id: 1, active: true, config: hook });
	});
	server.delete('/repos/:owner/:repository/hooks/:id', (_request, reply) => {
		hook = undefined;
		void reply.code(204).send();
	});
	await server.listen({ host: '127.0.0.1', port: 0 });
	const { port } = server.server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, hook: () => hook, stop: () => server.close() };
}
