import type { INodeParameters } from 'n8n-workflow';

import { startAnsweringServer } from './answeringServer';
import { automatic, credentialsFor, useSandbox } from './sandbox';

/**
 * The question for a reference has it in its address, where servers and proxies accept less than the
 * service does. The same credential works for other items, so the words are about the reference.
 */
const sandbox = useSandbox();

const validate: INodeParameters = {
	operation: 'validateReference',
	paymentPageLinkReference: '={{ $json.paymentPageLinkReference }}',
};

async function ask(reference: string, status: number, parameters = validate) {
	const server = await startAnsweringServer(() => ({ status }));
	const { error } = await sandbox.run({
		rows: [{ paymentPageLinkReference: reference }],
		parameters,
		credentials: credentialsFor(sandbox.service, { baseUrl: server.baseUrl }),
	});
	await server.stop();
	expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
	return { message: error?.message ?? '', advice: error?.description ?? '' };
}

const usual: Record<number, string> = {
	400: 'The service rejected the request (HTTP 400)',
	404: 'The service has nothing at this URL (HTTP 404)',
	414: 'The service rejected the request (HTTP 414)',
};

describe.each([400, 404, 414])('HTTP %i', (status) => {
	test.each([
		['a/b', 'contains "/"'],
		['INV: 7', 'contains ":", a space'],
		['100%', 'contains "%"'],
		['a\\b?c#d', 'contains "\\", "?", "#"'],
		['<a>&*+a&', 'contains "<", ">", "&", "*", "+"'],
		['x'.repeat(640), 'is 640 characters long in the URL'],
		['ü'.repeat(40), 'is 240 characters long in the URL'],
	])('for the reference %j names it, and what is peculiar about it', async (reference, told) => {
		const { message, advice } = await ask(reference, status);
		const shown = reference.length > 60 ? `${reference.slice(0, 60)}…` : reference;
		expect(message).toBe(`${usual[status]}; the reference "${shown}" ${told}`);
		expect(advice).toMatch(
			/^Use a short reference with letters, digits and hyphens for this item\. /,
		);
	});

	test.each(['inv-2026_7.a~b', 'Müller', 'חשבונית-7', '请款-7'])(
		'for the ordinary reference %j does not',
		async (reference) => {
			expect((await ask(reference, status)).message).toBe(usual[status]);
		},
	);
});

test('a Base URL that is wrong for all items is still named', async () => {
	expect((await ask('a/b', 404)).advice).toContain(
		'If other items fail too: Check that the Base URL in the credential is complete',
	);
});

test.each(['skip', 'error'])('the question before a create says so, too (%s)', async (choice) => {
	const parameters = automatic('create', { ifReferenceExists: choice });
	expect((await ask('a/b', 404, parameters)).message).toBe(
		`${usual[404]}; the reference "a/b" contains "/"`,
	);
});

test.each([401, 403, 500])('HTTP %i has other causes', async (status) => {
	const server = await startAnsweringServer(() => ({ status }));
	const { error } = await sandbox.run({
		rows: [{ paymentPageLinkReference: 'a/b' }],
		parameters: validate,
		credentials: credentialsFor(sandbox.service, { baseUrl: server.baseUrl }),
	});
	await server.stop();
	expect(error?.message).not.toContain('a/b');
});
