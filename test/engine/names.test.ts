import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { PaymentPagesApiKeyApi } from '../../credentials/PaymentPagesApiKeyApi.credentials';
import { PaymentPagesPrivateKeyApi } from '../../credentials/PaymentPagesPrivateKeyApi.credentials';
import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { PaymentPageTrigger } from '../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';
import { anyRow, automatic, continues, operations, useSandbox, type TestRun } from './sandbox';
import { useTrigger } from './trigger/useTrigger';

/**
 * What workflows out there hold or read. A change here breaks them: it needs a new version of the
 * node.
 */

/** Where a property is shown, as `operation=create,update`. */
function shownFor({ displayOptions: { show, hide } = {} }: INodeProperties): string {
	const part = (options: typeof show, sign: string) =>
		Object.entries(options ?? {}).map(([name, values = []]) => {
			const texts = values.map((value) =>
				typeof value === 'object' ? JSON.stringify(value) : value,
			);
			return `${name}${sign}${texts.join()}`;
		});
	const parts = [...part(show, '='), ...part(hide, '≠')];
	return parts.length === 0 ? '' : ` (${parts.join(' ')})`;
}

/** One line for each parameter: its default, its choices, and when it is shown. */
function parameterLines(properties: INodeProperties[], indent = ''): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap((property) => {
			const { name, type, default: initial, options = [] } = property;
			const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
			const of = choices.length === 0 ? '' : ` of ${choices.map(String).join()}`;
			const inside = options.flatMap((option) => ('type' in option ? [option] : []));
			const line = `${indent}${name}: ${type} ${JSON.stringify(initial)}${of}${shownFor(property)}`;
			return [line, ...parameterLines(inside, `${indent}\t`)];
		});
}

function nodeLines(description: INodeTypeDescription): string[] {
	const { name, version, credentials = [], webhooks = [], properties } = description;
	return [
		`${name} version ${JSON.stringify(version)}`,
		...credentials.map(
			(credential) => `credential ${credential.name}${shownFor(credential as never)}`,
		),
		...webhooks.map((webhook) => `webhook ${webhook.name} ${webhook.httpMethod} ${webhook.path}`),
		...parameterLines(properties),
	];
}

function credentialLines({ name, properties }: ICredentialType): string[] {
	return [name, ...parameterLines(properties)];
}

const text = (lines: string[]) => `\n${lines.join('\n')}\n`;

test.each([
	['Payment Page', () => nodeLines(new PaymentPage().description)],
	['Payment Page Trigger', () => nodeLines(new PaymentPageTrigger().description)],
	['private key', () => credentialLines(new PaymentPagesPrivateKeyApi())],
	['API key', () => credentialLines(new PaymentPagesApiKeyApi())],
])('names of %s', (_name, lines) => {
	expect(text(lines())).toMatchSnapshot();
});

describe('fields of the output', () => {
	const sandbox = useSandbox();
	const trigger = useTrigger();

	async function ofItems(run: TestRun): Promise<string[]> {
		const { output, errorOutput } = await sandbox.run({ rows: [anyRow], ...run });
		return [...output, ...errorOutput].map(({ json }) => Object.keys(json).join());
	}

	async function ofEvent(): Promise<string[]> {
		const workflow = trigger.workflow();
		await workflow.publish();
		expect(await trigger.pay()).toBe(200);
		return workflow.outputs().map((output) => Object.keys(output).join());
	}

	const bad = { rows: [{ pageName: 'A', amount: 'x' }], parameters: operations.create };
	const fields: Record<string, () => Promise<string[]>> = {
		create: async () => await ofItems({ parameters: operations.create }),
		raw: async () => await ofItems({ parameters: automatic('create', { simplify: false }) }),
		'create, skip': async () =>
			await ofItems({ rows: [anyRow, anyRow], parameters: operations.skip }),
		recovered: async () => {
			sandbox.fail({ endpoint: 'create', kind: 'cutAfterStoring' });
			return await ofItems({ parameters: operations.skip });
		},
		update: async () => {
			await ofItems({ parameters: operations.create });
			return await ofItems({ parameters: { ...operations.update, id: '1' } });
		},
		validate: async () => await ofItems({ parameters: operations.validate }),
		register: async () => await ofItems({ parameters: operations.register }),
		'error output': async () => await ofItems({ ...bad, settings: continues }),
		'failed item': async () =>
			await ofItems({ ...bad, settings: { onError: 'continueRegularOutput' } }),
		event: ofEvent,
	};

	test('are these', async () => {
		const lines: string[] = [];
		for (const [what, of] of Object.entries(fields)) {
			lines.push(...(await of()).map((names) => `${what}: ${names}`));
			await sandbox.service.reset();
			await trigger.service.reset();
		}
		expect(text(lines)).toMatchSnapshot();
	});
});
