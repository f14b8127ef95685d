import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { PaymentPagesApiKeyApi } from '../../credentials/PaymentPagesApiKeyApi.credentials';
import { PaymentPagesPrivateKeyApi } from '../../credentials/PaymentPagesPrivateKeyApi.credentials';
import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { PaymentPageTrigger } from '../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';

/**
 * What workflows out there hold. A change here breaks them: it needs a new version of the node. The
 * fields of the outputs are as binding; each is compared as a whole where its operation is tested.
 */

/** Where a property is shown, as `operation=create,update`. */
function shownFor({ displayOptions: { show, hide } = {} }: INodeProperties): string {
	const part = (options: typeof show, sign: string) =>
		Object.entries(options ?? {}).map(([name, values]) => `${name}${sign}${String(values)}`);
	const parts = [...part(show, '='), ...part(hide, '≠')];
	return parts.length === 0 ? '' : ` (${parts.join(' ')})`;
}

/** One line for each parameter: its default, its choices or members, and when it is shown. */
function parameterLines(properties: INodeProperties[]): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.map((property) => {
			const { name, type, default: initial, options = [] } = property;
			const choices = options.map((option) =>
				'value' in option ? String(option.value) : parameterLines([option as INodeProperties])[0],
			);
			const of = choices.length === 0 ? '' : ` of ${choices.join(', ')}`;
			return `${name}: ${type} ${JSON.stringify(initial)}${of}${shownFor(property)}`;
		});
}

function nodeLines(description: INodeTypeDescription): string[] {
	const { name, version, defaults, icon, credentials = [], webhooks = [] } = description;
	return [
		`${name} ${JSON.stringify({ version, ...defaults, icon })}`,
		...credentials.map(
			(one) => `credential ${one.name} ${one.required ? 'required' : ''}${shownFor(one as never)}`,
		),
		...webhooks.map((webhook) => `webhook ${webhook.name} ${webhook.httpMethod} ${webhook.path}`),
		...parameterLines(description.properties),
	];
}

const credentials = [new PaymentPagesPrivateKeyApi(), new PaymentPagesApiKeyApi()];

test('names', () => {
	const lines = [
		...nodeLines(new PaymentPage().description),
		...nodeLines(new PaymentPageTrigger().description),
		...credentials.map(
			({ name, properties }) => `${name} of ${parameterLines(properties).join(', ')}`,
		),
	];
	expect(`\n${lines.join('\n')}\n`).toMatchSnapshot();
});
