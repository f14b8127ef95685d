import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { projectRoot } from '../../scripts/shared/root';
import { operations, useSandbox } from './sandbox';
import { useTrigger } from './trigger/useTrigger';

/** The examples in the documentation are what the nodes take and give. */
const sandbox = useSandbox();

const read = (page: string) => readFileSync(path.join(projectRoot, 'docs', page), 'utf8');

const mapping = read('mapping.md')
	.split('\n')
	.map((line) => line.split('|').map((cell) => cell.trim()));

/** What stands in code in the second cell of the rows that begin with this one. */
const codesOf = (first: string): string[][] =>
	mapping
		.filter((cells) => cells[1] === first)
		.map(([, , text = '']) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));

/** An example in JSON, in which `…` stands for anything: a part of a text, a value, more members. */
function expectExample(actual: IDataObject = {}, example: string): void {
	const members = example.slice(2, -2).split(', ');
	for (const member of members) {
		const form = member.replace(': ', ':').replaceAll('.', '\\.').replaceAll('…', '.*');
		expect(JSON.stringify(actual)).toMatch(new RegExp(`[{,]${form}[,}]`));
	}
	if (!members.includes('…')) expect(Object.keys(actual)).toHaveLength(members.length);
}

const page = { pageName: 'Invoice 142', amount: 49.9, paymentPageLinkReference: 'invoice-142' };
const asked = (reference: string) => ({
	...operations.validate,
	paymentPageLinkReference: reference,
});

test.each([
	['Payment Page → Create', operations.create],
	['Payment Page → Update', { ...operations.update, id: '1' }],
	['Payment Page → Validate Reference', asked('invoice-142')],
	['Webhook → Register', operations.register],
])('gives what docs/mapping.md shows: %s', async (operation, parameters) => {
	if (parameters !== operations.create) await sandbox.run({ rows: [page] });
	const { output } = await sandbox.run({ rows: [page], parameters });
	expectExample(output[0]?.json, codesOf(operation)[0]?.[0] ?? '');
});

/** The requests in docs/interface.md: their bodies by their paths. */
const requests = new Map(
	[...read('interface.md').matchAll(/```http\n\w+ \/v1(\S+) HTTP\/1\.1\n[^{`]*(\{[^`]*)?```/g)].map(
		([, path = '', body = '{}']) => [path, JSON.parse(body) as IDataObject],
	),
);

test.each([
	['/PaymentPages/Add', operations.create],
	['/PaymentPages/Update', { ...operations.update, id: '={{ $json.id }}' }],
	['/PaymentPages/ValidatePaymentPageLinkRefernce/inv-2026-0142', asked('inv-2026-0142')],
	[
		'/WebhookRegistration/RegisterWebhook',
		{ ...operations.register, webhookUrl: '={{ $json.webhookUrl }}' },
	],
])('sends what docs/interface.md shows: %s', async (url, parameters) => {
	const { merchantId, secret, ...row } = requests.get(url) ?? {};
	await sandbox.run({ rows: [row], parameters, credential: { webhookSecret: String(secret) } });
	expect(sandbox.requests[0]?.url).toBe(`/api${url}`);
	const own = { merchantId: Number(sandbox.service.settings.merchantId) };
	expect(sandbox.bodies).toEqual(merchantId ? [{ ...requests.get(url), ...own }] : []);
	expect(requests.size).toBe(4);
});

test('takes the expressions in docs/mapping.md', async () => {
	const mapped = (label: string) => `=${codesOf(label)[0]?.[0]}`;
	const parameters = {
		pageName: mapped('Page Name'),
		amount: mapped('Amount'),
		paymentPageLinkReference: mapped('Reference'),
		optionalFields: { callBackUrl: mapped('Optional Fields → Callback URL') },
	};
	await sandbox.run({ rows: [{ number: 'R-142', total: 49.9 }], parameters });
	const own = { pageName: 'Invoice R-142', amount: 49.9, paymentPageLinkReference: 'R-142' };
	expect(sandbox.bodies).toMatchObject([{ ...own, callBackUrl: expect.stringMatching(/^http/) }]);
});

test('treats the amounts in docs/mapping.md as it says', async () => {
	const [, shown = []] = codesOf('Amount');
	const sent: unknown[] = [];
	for (const code of shown) {
		const amount = code.includes('*') ? `={{ ${code} }}` : code;
		const { output } = await sandbox.run({ parameters: { pageName: 'Page', amount } });
		sent.push(output[0]?.json.amount);
	}
	expect(sent).toEqual([49.9, 1234.56, 1234.56, 1250, undefined, undefined, 59.381]);
});

const trigger = useTrigger();

test('the trigger gives what docs/trigger.md shows', async () => {
	const [, json = ''] = /```json\n([^]*?)```/.exec(read('trigger.md')) ?? [];
	const example = JSON.parse(json) as IDataObject;
	trigger.service.configure({ signing: { header: 'X-Signature' } });
	const workflow = await trigger.published();
	expect(await trigger.pay()).toBe(200);
	const [event = {}] = workflow.outputs();
	expect(Object.keys(event)).toEqual(Object.keys(example));
	const { verified, verifiedBy, params, query, headers } = example;
	expect(event).toMatchObject({ verified, verifiedBy, params, query, headers });
	expect(event.receivedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
});
