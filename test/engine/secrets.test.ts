import type { INodeParameters } from 'n8n-workflow';

import { startAnsweringServer, type ServerAnswer } from './answeringServer';
import { automatic, credentialsFor, register, useSandbox } from './sandbox';

/** Neither a key nor a secret is in anything that n8n stores of an execution. */
const sandbox = useSandbox();

const privateKey = 'pk-canary-"7f3a91';
const apiKey = 'ak-canary-55d0c2';
const webhookSecret = 'wh-canary-\\e8b1';

/** JSON with every character escaped, as some serializers do with some of them. */
function escaped(text: string): string {
	return Array.from(text, (character) => {
		return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	}).join('');
}

const operations: Record<string, INodeParameters> = {
	create: automatic('create'),
	update: { operation: 'update', id: '1', updateFields: { amount: '5' } },
	validateReference: { operation: 'validateReference', paymentPageLinkReference: 'r' },
	register: { ...register, webhookUrl: 'https://hooks.shop.example/x' },
};

/** The service repeats what it was given: headers, keys and all. */
const words = `Bearer ${privateKey} ${apiKey} ${webhookSecret}`;
const echo = JSON.stringify(words);
const echoes: Record<string, ServerAnswer> = {
	'a refusal': { body: `{"responseCode":"05","responseMessage":${echo}}` },
	'the code of a refusal': { body: `{"responseCode":${echo}}` },
	'an HTTP error': { status: 401, body: `{"responseCode":"63","responseMessage":${echo}}` },
	'a web page': { headers: { 'content-type': 'text/html' }, body: `<html>${echo}</html>` },
	'broken JSON': { body: `{"a":${echo}` },
	success: {
		body: `{"responseCode":"00","responseMessage":${echo},"data":{"isValid":true,"webhookUrl":${echo},"more":${echo}}}`,
	},
	'escaped words': { body: `{"responseCode":"05","responseMessage":"${escaped(words)}"}` },
	'a header': { status: 429, headers: { 'retry-after': '0', 'x-echo': apiKey } },
	'a redirect': { status: 307, headers: { location: `http://127.0.0.1:1/${apiKey}` } },
};

describe.each(Object.keys(operations))('%s', (operation) => {
	test.each(Object.keys(echoes))('hides what is echoed in %s', async (kind) => {
		const server = await startAnsweringServer(() => echoes[kind] ?? {});
		const credentials = credentialsFor(sandbox.service, {
			baseUrl: server.baseUrl,
			...(operation === 'register' ? { apiKey, webhookSecret } : { privateKey }),
		});
		const shown = operation === 'register' ? [apiKey, webhookSecret] : [privateKey];
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			for (const simplify of [true, false]) {
				const { run, error } = await sandbox.run({
					rows: [{ pageName: 'A', paymentPageLinkReference: 'r' }],
					parameters: { ...operations[operation], simplify },
					credentials,
					settings: { onError },
				});
				const stored = JSON.stringify([run, error, String(error), error?.stack, error?.cause]);
				for (const secret of shown) {
					expect(stored).not.toContain(secret);
					expect(stored).not.toContain(JSON.stringify(secret).slice(1, -1));
				}
			}
		}
		expect(server.requests.length).toBeGreaterThanOrEqual(4);
		await server.stop();
	});
});

test('hides the secret of the credential from the error of a registration', async () => {
	sandbox.service.configure({
		faults: [{ endpoint: 'register', kind: 'wrongCode', message: `no ${webhookSecret}` }],
	});
	const { run, error } = await sandbox.run({
		parameters: { ...register, webhookUrl: 'https://hooks.shop.example/x' },
		credentials: credentialsFor(sandbox.service, { webhookSecret }),
	});
	expect(error?.message).toBe('The service rejected the request: no *** (code "96")');
	expect(JSON.stringify([run.data.resultData, error])).not.toContain('canary');
});

test.each(['hang', 'cutAfterStoring'] as const)(
	'hides the key when the answer is lost: %s',
	async (kind) => {
		sandbox.service.configure({ privateKey, faults: [{ endpoint: 'create', kind }] });
		const { run, error } = await sandbox.run({
			rows: [{ pageName: 'A' }],
			parameters: { ...automatic('create'), requestOptions: { timeout: 200 } },
		});
		expect(error).toBeDefined();
		expect(JSON.stringify([run, error, error?.stack, error?.cause])).not.toContain('canary');
	},
);

test('hides a key that it refuses', async () => {
	const credentials = credentialsFor(sandbox.service, { privateKey: 'pk-canary\nbroken' });
	const { run, error } = await sandbox.run({ parameters: { pageName: 'A' }, credentials });
	expect(error?.message).toMatch(/^Private Key /);
	expect(JSON.stringify([run, error, error?.stack, error?.cause])).not.toContain('canary');
});
