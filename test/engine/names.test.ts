import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { PaymentPagesApiKeyApi } from '../../credentials/PaymentPagesApiKeyApi.credentials';
import { PaymentPagesPrivateKeyApi } from '../../credentials/PaymentPagesPrivateKeyApi.credentials';
import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { PaymentPageTrigger } from '../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';
import { automatic, credentialsFor, register, useSandbox } from './sandbox';
import { useTrigger } from './trigger/useTrigger';

/**
 * What workflows out there hold or read. A change here breaks them: it needs a new version of the
 * node.
 */

/** One line for each parameter and option, with its default and when it is shown, and for each choice. */
function parameterLines(properties: INodeProperties[], indent = ''): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap(({ name, type, default: initial, displayOptions, options = [] }) => [
			`${indent}${name}: ${type} = ${JSON.stringify(initial)} ${JSON.stringify(displayOptions ?? {})}`,
			...options.flatMap((option) =>
				'type' in option
					? parameterLines([option], `${indent}\t`)
					: `${indent}\t${'value' in option ? JSON.stringify(option.value) : option.name}`,
			),
		]);
}

function nodeLines(description: INodeTypeDescription): string[] {
	const { name, version, credentials = [], webhooks = [], properties } = description;
	return [
		`${name} version ${JSON.stringify(version)}`,
		...credentials.map((credential) => `credential ${credential.name}`),
		...webhooks.map((webhook) => `webhook ${webhook.name} ${webhook.httpMethod} ${webhook.path}`),
		...parameterLines(properties),
	];
}

function credentialLines({ name, properties }: ICredentialType): string[] {
	return [name, ...parameterLines(properties)];
}

test.each([
	['Payment Page', () => nodeLines(new PaymentPage().description)],
	['Payment Page Trigger', () => nodeLines(new PaymentPageTrigger().description)],
	['private key', () => credentialLines(new PaymentPagesPrivateKeyApi())],
	['API key', () => credentialLines(new PaymentPagesApiKeyApi())],
])('names of %s', (_name, lines) => {
	expect(`\n${lines().join('\n')}\n`).toMatchSnapshot();
});

describe('fields of the output', () => {
	const sandbox = useSandbox();

	async function fieldsOf(parameters: Parameters<typeof sandbox.run>[0]): Promise<string[][]> {
		const { output, errorOutput } = await sandbox.run(parameters);
		return [...output, ...errorOutput].map(({ json }) => Object.keys(json));
	}

	const row = { pageName: 'Deposit', paymentPageLinkReference: 'deposit' };
	const skip = automatic('create', { ifReferenceExists: 'skip' });
	const validate = { operation: 'validateReference', paymentPageLinkReference: 'deposit' };
	const cut = { endpoint: 'create', kind: 'cutAfterStoring', times: 1 } as const;

	test('Create', async () => {
		for (const simplify of [true, false]) {
			const parameters = automatic('create', { simplify });
			expect(await fieldsOf({ rows: [row], parameters })).toMatchSnapshot();
		}
	});

	test('Create with Skip, of an equal item and of a page that was there', async () => {
		expect(await fieldsOf({ rows: [row, row], parameters: skip })).toMatchSnapshot();
		expect(await fieldsOf({ rows: [row], parameters: skip })).toMatchSnapshot();
	});

	test('Create, with a lost answer', async () => {
		sandbox.service.configure({ faults: [cut] });
		expect(await fieldsOf({ rows: [row], parameters: skip })).toMatchSnapshot();
	});

	test('Update', async () => {
		await sandbox.run({ rows: [row], parameters: automatic('create') });
		const parameters = { ...automatic('update'), id: '1' };
		expect(await fieldsOf({ rows: [row], parameters })).toMatchSnapshot();
	});

	test('Validate Reference', async () => {
		expect(await fieldsOf({ rows: [{}], parameters: validate })).toMatchSnapshot();
	});

	test('Register', async () => {
		const parameters = { ...register, webhookUrl: 'https://shop.example/x' };
		const credentials = credentialsFor(sandbox.service, { webhookSecret: 'secret-8' });
		expect(await fieldsOf({ rows: [{}], parameters, credentials })).toMatchSnapshot();
	});

	test('a failed item, in both settings', async () => {
		const rows = [{ pageName: 'A', amount: 'x' }];
		for (const onError of ['continueErrorOutput', 'continueRegularOutput'] as const) {
			expect(
				await fieldsOf({ rows, parameters: automatic('create'), settings: { onError } }),
			).toMatchSnapshot();
		}
	});
});

describe('fields of an event', () => {
	const trigger = useTrigger();

	test.each([
		['that is verified', {}],
		['that is not verified', { options: { acceptUnverified: true } }],
	])('%s', async (_what, parameters) => {
		const workflow = trigger.workflow({ parameters });
		await workflow.publish();
		const { webhookUrl = '' } = trigger.registrations[0] ?? {};
		const isVerified = !('options' in parameters);
		await trigger.post(isVerified ? webhookUrl : workflow.productionUrl, '{}');
		expect(workflow.outputs().map((output) => Object.keys(output))).toMatchSnapshot();
	});
});
