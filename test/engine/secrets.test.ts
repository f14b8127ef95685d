import { useQuickWaits } from '../support/quickWaits';
import type { ServerAnswer } from '../support/answeringServer';
import { operations, useSandbox, type Outcome } from './sandbox';

/** Neither a key nor a secret is in anything that n8n stores of an execution. */
useQuickWaits();
const sandbox = useSandbox();

const privateKey = 'pk-canary-"7f3a91';
const apiKey = 'ak-canary-55d0c2';
const webhookSecret = 'wh-canary-\\e8b1';

function expectHidden({ run, error }: Outcome, ...secrets: string[]): void {
	const stored = JSON.stringify([run, error, String(error), error?.stack, error?.cause]);
	for (const secret of secrets) {
		expect(stored).not.toContain(secret);
		expect(stored).not.toContain(JSON.stringify(secret).slice(1, -1));
	}
}

/** JSON with every character escaped, as some serializers do with some of them. */
function escaped(text: string): string {
	const codes = Array.from(text, (character) => character.charCodeAt(0).toString(16));
	return codes.map((code) => `\\u${code.padStart(4, '0')}`).join('');
}

/** The service repeats what it was given: headers, keys and all. */
const words = `Bearer ${privateKey} ${apiKey} ${webhookSecret}`;
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
	const own: Record<string, string> =
		operation === 'register' ? { apiKey, webhookSecret } : { privateKey };

	test.each(Object.entries(echoes))('hides what is echoed in %s', async (_kind, answer) => {
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			const outcome = await sandbox.runAt(() => answer, {
				parameters: { ...operations[operation], simplify: false },
				credential: own,
				settings: { onError },
			});
			expect(outcome.sent.length).toBeGreaterThan(0);
			expectHidden(outcome, ...Object.values(own));
		}
	});
});

test.each([
	['where it stands', privateKey, 'X1', 'no ***, short cut (code "X1")'],
	['where it stands alone', 'short', 'short', `no ${privateKey}, short cut (code "***")`],
])('a secret is hidden %s: %s', async (_where, key, responseCode, message) => {
	const responseMessage = `no ${privateKey}, short cut`;
	const answer = { body: JSON.stringify({ responseCode, responseMessage }) };
	const { error } = await sandbox.runAt(() => answer, { credential: { privateKey: key } });
	expect(error?.message).toBe(`The service rejected the request: ${message}`);
});

test.each(['hang', 'cutAfterStoring'] as const)('a lost answer shows no key: %s', async (kind) => {
	sandbox.service.configure({ privateKey, faults: [{ endpoint: 'create', kind }] });
	const outcome = await sandbox.run({
		parameters: { ...operations.create, requestOptions: { timeout: 200 } },
		credential: { privateKey },
	});
	expect(outcome.error).toBeDefined();
	expectHidden(outcome, 'canary');
});

test('hides a key that it rejects', async () => {
	const outcome = await sandbox.run({ credential: { privateKey: 'pk-canary\nbroken' } });
	expect(outcome.error?.message).toMatch(/^'Private Key' /);
	expectHidden(outcome, 'canary');
});
