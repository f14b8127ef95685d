import { useQuickWaits } from '../support/quickWaits';
import type { ServerAnswer } from '../support/answeringServer';
import { anyRow, operations, useSandbox } from './sandbox';

/** Neither a key nor a secret is in anything that n8n stores of an execution. */
useQuickWaits();
const sandbox = useSandbox();

const privateKey = 'pk-canary-"7f3a91';
const apiKey = 'ak-canary-55d0c2';
const webhookSecret = 'wh-canary-\\e8b1';
const secrets = [privateKey, apiKey, webhookSecret];

/** JSON with every character escaped, as some serializers do with some of them. */
function escaped(text: string): string {
	const codes = Array.from(text, (character) => character.charCodeAt(0).toString(16));
	return codes.map((code) => `\\u${code.padStart(4, '0')}`).join('');
}

/** The service repeats what it was given: headers, keys and all. */
const words = `Bearer ${secrets.join(' ')}`;
const echo = JSON.stringify(words);
const data = `{"isValid":true,"webhookUrl":${echo},"more":[${echo}],${echo}:${echo}}`;
const echoes: Record<string, ServerAnswer> = {
	'a rejection': { body: `{"responseCode":"05","responseMessage":${echo}}` },
	'the code of a rejection': { body: `{"responseCode":${echo}}` },
	'an HTTP error': { status: 401, body: `{"responseCode":"63","responseMessage":${echo}}` },
	'a web page': { headers: { 'content-type': 'text/html' }, body: `<html>${echo}</html>` },
	'broken JSON': { body: `{"a":${echo}` },
	success: { body: `{"responseCode":"00","responseMessage":${echo},"data":${data}}` },
	'escaped words': { body: `{"responseCode":"05","responseMessage":"${escaped(words)}"}` },
	'a header': { status: 429, headers: { 'retry-after': '0', 'x-echo': apiKey } },
	'a redirect': { status: 307, headers: { location: `http://127.0.0.1:1/${apiKey}` } },
};

describe.each(['create', 'update', 'validate', 'register'] as const)('%s', (operation) => {
	// It knows the secrets of its own credential alone.
	const own = operation === 'register' ? { apiKey, webhookSecret } : { privateKey };

	test.each(Object.keys(echoes))('hides what is echoed in %s', async (kind) => {
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			for (const simplify of [true, false]) {
				const { run, error, sent } = await sandbox.runAt(() => echoes[kind] ?? {}, {
					rows: [anyRow],
					parameters: { ...operations[operation], simplify },
					credential: own,
					settings: { onError },
				});
				expect(sent.length).toBeGreaterThan(0);
				const stored = JSON.stringify([run, error, String(error), error?.stack, error?.cause]);
				for (const secret of Object.values(own)) {
					expect(stored).not.toContain(secret);
					expect(stored).not.toContain(JSON.stringify(secret).slice(1, -1));
				}
			}
		}
	});
});

test('a secret is hidden where it stands, and a short one where it stands alone', async () => {
	const body = (code: string) =>
		`{"responseCode":"${code}","responseMessage":"no ${privateKey.replace('"', '\\"')}, short cut"}`;
	const parameters = operations.create;
	for (const [key, message] of [
		[privateKey, 'no ***, short cut (code "X1")'],
		['short', 'no pk-canary-"7f3a91, short cut (code "***")'],
	]) {
		const answer = { body: body(key === 'short' ? 'short' : 'X1') };
		const { error } = await sandbox.runAt(() => answer, {
			rows: [anyRow],
			parameters,
			credential: { privateKey: key },
		});
		expect(error?.message).toBe(`The service rejected the request: ${message}`);
	}
});

test.each(['hang', 'cutAfterStoring'] as const)('a lost answer shows no key: %s', async (kind) => {
	sandbox.service.configure({ privateKey, faults: [{ endpoint: 'create', kind }] });
	const { run, error } = await sandbox.run({
		rows: [anyRow],
		parameters: { ...operations.create, requestOptions: { timeout: 200 } },
	});
	expect(error).toBeDefined();
	expect(JSON.stringify([run, error, error?.stack, error?.cause])).not.toContain('canary');
});

test('hides a key that it rejects', async () => {
	const credential = { privateKey: 'pk-canary\nbroken' };
	const parameters = operations.create;
	const { run, error } = await sandbox.run({ rows: [anyRow], parameters, credential });
	expect(error?.message).toMatch(/^'Private Key' /);
	expect(JSON.stringify([run, error, error?.stack, error?.cause])).not.toContain('canary');
});
