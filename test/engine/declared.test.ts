import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { credentialsFor, register, useSandbox } from './sandbox';

/** What a reader of the description sees is what leaves: no operation has an address of its own. */
const sandbox = useSandbox();

const rows = [{ pageName: 'Deposit' }];

const credentials = () => credentialsFor(sandbox.service, { webhookSecret: 'secret-8' });

const operations: Array<[method: string, path: string, parameters: INodeParameters]> = [
	['POST', '/PaymentPages/Add', { operation: 'create', pageName: 'Deposit' }],
	['POST', '/PaymentPages/Update', { operation: 'update', id: '1', updateFields: { amount: '5' } }],
	[
		'GET',
		'/PaymentPages/ValidatePaymentPageLinkRefernce/',
		{ operation: 'validateReference', paymentPageLinkReference: 'deposit' },
	],
	[
		'POST',
		'/WebhookRegistration/RegisterWebhook',
		{ ...register, webhookUrl: 'https://shop.example/x' },
	],
];

/** The request in the description of an operation. */
function declaredIn({ operation }: INodeParameters) {
	const options = new PaymentPage().description.properties.flatMap(
		({ name, options: choices = [] }) => (name === 'operation' ? choices : []),
	) as INodePropertyOptions[];
	const { routing } = options.find(({ value }) => value === operation) ?? {};
	if (routing?.request === undefined) throw new Error('The operation declares no request.');
	return routing.request;
}

test.each(operations)('%s %s stands in the description and is sent', async (...given) => {
	const [method, path, parameters] = given;
	expect(declaredIn(parameters)).toEqual({ method, url: path });
	await sandbox.run({ rows, parameters, credentials: credentials() });
	expect(sandbox.requests[0]).toMatchObject({ method, url: expect.stringContaining(path) });
});

test.each(operations)('%s %s is sent elsewhere if it is declared so', async (...given) => {
	const [, path, parameters] = given;
	const declared = declaredIn(parameters);
	declared.url = `/Declared${path}`;
	try {
		await sandbox.run({ rows, parameters, credentials: credentials() });
	} finally {
		declared.url = path;
	}
	expect(sandbox.requests[0]?.url).toContain(`/Declared${path}`);
});
