import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { formOf } from '../../nodes/PaymentPage/fields/pageFields';
import { projectRoot } from '../../scripts/shared/root';
import { automatic, credentialsFor, register, useSandbox } from './sandbox';
import { useTrigger } from './trigger/useTrigger';

/** The examples in the documentation are what the nodes take and give. */

function read(page: string): string {
	return readFileSync(path.join(projectRoot, page), 'utf8');
}

/** The cells of the table rows that begin with this one. */
function rowsOf(page: string, first: string): string[][] {
	return read(page)
		.split('\n')
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		)
		.filter(([cell]) => cell === first);
}

/** What stands in code in a text. */
function codesIn(text = ''): string[] {
	return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** What a text begins and ends with, as long as the two given. */
function ends(text: string, start: string, end: string): [string, string] {
	return [text.slice(0, start.length), text.slice(text.length - end.length)];
}

/** An example in JSON, in which `…` stands for anything: a part of a text, a value, more members. */
function expectExample(actual: IDataObject | undefined, example: string): void {
	const isWhole = !/, … }$/.test(example);
	const json = example.replace(/, … }$/, ' }').replace(/: …(?=[,\s])/g, ': "…"');
	const members = Object.entries(JSON.parse(json) as Record<string, unknown>);
	if (isWhole) expect(Object.keys(actual ?? {})).toEqual(members.map(([name]) => name));
	for (const [name, value] of members) {
		const [start = '', end] = typeof value === 'string' ? value.split('…') : [];
		if (end === undefined) expect({ [name]: actual?.[name] }).toEqual({ [name]: value });
		else {
			const shown = actual?.[name];
			const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
			expect([name, ends(text, start, end)]).toEqual([name, [start, end]]);
		}
	}
}

describe('the node', () => {
	const sandbox = useSandbox();

	const page = { pageName: 'Invoice 142', amount: 49.9, paymentPageLinkReference: 'invoice-142' };

	test.each<[operation: string, parameters: INodeParameters]>([
		['Payment Page → Create', automatic('create')],
		['Payment Page → Update', { ...automatic('update'), id: '1' }],
		[
			'Payment Page → Validate Reference',
			{ operation: 'validateReference', paymentPageLinkReference: 'invoice-142' },
		],
		['Webhook → Register', { ...register, webhookUrl: 'https://www.shop.example/payment-events' }],
	])('gives what docs/mapping.md shows: %s', async (operation, parameters) => {
		if (parameters.operation !== 'create') {
			await sandbox.run({ rows: [page], parameters: automatic('create') });
		}
		const credentials = credentialsFor(sandbox.service, { webhookSecret: 'secret-8' });
		const { output } = await sandbox.run({ rows: [page], parameters, credentials });
		const [example = ''] = codesIn(rowsOf('docs/mapping.md', operation)[0]?.[1]);
		expectExample(output[0]?.json, example);
	});

	/** The requests in docs/interface.md: path and body. */
	const documented = [
		...read('docs/interface.md').matchAll(
			/```http\n\w+ \/v1(\S+) HTTP\/1\.1\n[^{`]*(\{[^`]*)?```/g,
		),
	].map(([, url = '', body = '']): [url: string, body: string] => [url, body.trim()]);

	test.each<[url: string, parameters: INodeParameters]>([
		['/PaymentPages/Add', automatic('create')],
		['/PaymentPages/Update', { operation: 'update', id: '815', updateFields: { amount: 350 } }],
		[
			'/PaymentPages/ValidatePaymentPageLinkRefernce/inv-2026-0142',
			{ operation: 'validateReference' },
		],
		['/WebhookRegistration/RegisterWebhook', register],
	])('sends what docs/interface.md shows: %s', async (url, parameters) => {
		const body = documented.find(([shown]) => shown === url)?.[1] ?? '';
		const {
			merchantId,
			secret = '',
			webhookUrl = '',
			...page
		} = (body === '' ? {} : JSON.parse(body)) as Record<string, string>;
		const credentials = credentialsFor(sandbox.service, { webhookSecret: secret });
		await sandbox.run({
			rows: [page],
			parameters: {
				...parameters,
				...(webhookUrl === '' ? { paymentPageLinkReference: 'inv-2026-0142' } : { webhookUrl }),
			},
			credentials,
		});
		const sent = sandbox.requests.find((request) => request.url.endsWith(url));
		expect(sent).toBeDefined();
		const fieldsOf = (text: string) => (text === '' ? {} : (JSON.parse(text) as IDataObject));
		expect(fieldsOf(sent?.body.toString() ?? '')).toEqual({
			...fieldsOf(body),
			...(merchantId && { merchantId: Number(sandbox.service.settings.merchantId) }),
		});
	});

	/** The example for a field in docs/mapping.md, as the panel stores an expression. */
	const mapped = (label: string): string =>
		`=${codesIn(rowsOf('docs/mapping.md', label)[0]?.[1])[0]}`;

	test('takes the expressions in docs/mapping.md', async () => {
		const label = (field: Parameters<typeof formOf>[0]) => formOf(field).displayName;
		const { output, error } = await sandbox.run({
			rows: [{ number: 'R-142', total: 49.9 }],
			parameters: {
				operation: 'create',
				pageName: mapped(label('pageName')),
				amount: mapped(label('amount')),
				paymentPageLinkReference: mapped(label('paymentPageLinkReference')),
				simplify: false,
				optionalFields: { callBackUrl: mapped(`Optional Fields → ${label('callBackUrl')}`) },
			},
		});
		expect(error).toBeUndefined();
		expect(output[0]?.json).toMatchObject({
			pageName: 'Invoice R-142',
			amount: 49.9,
			paymentPageLinkReference: 'R-142',
			callBackUrl: expect.stringMatching(/^http/),
		});
	});

	/** What becomes of each amount in docs/mapping.md; none of those that are rejected. */
	const amounts: Record<string, number | undefined> = {
		'49,90': 49.9,
		'1.234,56': 1234.56,
		'1,234.56': 1234.56,
		'1 250,00': 1250,
		'1.234': undefined,
		'12,500': undefined,
		'={{ 49.9 * 1.19 }}': 59.381,
	};

	test('treats the amounts in docs/mapping.md as it says', async () => {
		const [, rule] = rowsOf('docs/mapping.md', 'Amount')[1] ?? [];
		const shown = Object.keys(amounts).map((value) => value.replace(/^=/, ''));
		expect(codesIn(rule).map((code) => (code === '49.9 * 1.19' ? `{{ ${code} }}` : code))).toEqual(
			shown,
		);
		for (const [amount, expected] of Object.entries(amounts)) {
			const { output } = await sandbox.run({
				rows: [{}],
				parameters: { operation: 'create', pageName: 'Page', amount },
				settings: { onError: 'continueErrorOutput' },
			});
			expect([amount, output[0]?.json.amount]).toEqual([amount, expected]);
		}
	});
});

describe('the trigger', () => {
	const trigger = useTrigger();

	test('gives what docs/trigger.md shows', async () => {
		const [, json = ''] = /```json\n([^]*?)```/.exec(read('docs/trigger.md')) ?? [];
		const example = JSON.parse(json) as IDataObject;
		trigger.service.configure({
			signing: { mode: 'hmac', header: 'x-signature', algorithm: 'sha256', encoding: 'hex' },
		});
		const workflow = trigger.workflow();
		await workflow.publish();
		expect(await trigger.pay()).toBe(200);
		const [event = {}] = workflow.outputs();
		expect(Object.keys(event)).toEqual(Object.keys(example));
		const { verified, verifiedBy, params, query } = example;
		expect(event).toMatchObject({ verified, verifiedBy, params, query, headers: example.headers });
		expect(event.receivedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
	});
});
