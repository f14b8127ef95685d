import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { type Bench as WholeBench, credentialFor } from '../shared/bench';
import { expressions, fixedValues, type MappedField, mappedFields, rowsCode } from './rows';

type Bench = Pick<WholeBench, 'client' | 'sandbox' | 'credentials'>;

/** One way to create a page for each item. */
export interface Contestant {
	name: string;
	/** The node, in a workflow that gives it the rows. */
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials' | 'onError'>;
}

export const measuredNode = 'Create pages';

const four = mappedFields.slice(0, 4);

function httpRequests({ sandbox }: Bench, credentials: INode['credentials']) {
	const node = (body: INode['parameters']): Contestant['node'] => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		credentials,
		parameters: {
			method: 'POST',
			url: `${sandbox.baseUrl}/PaymentPages/Add`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			options: {},
			...body,
		},
	});
	const mapped = (fields: readonly MappedField[]) =>
		node({
			specifyBody: 'keypair',
			bodyParameters: {
				parameters: Object.entries(expressions(fields)).map(([name, value]) => ({ name, value })),
			},
		});
	return {
		httpJson: {
			name: 'HTTP Request, one JSON expression',
			node: node({ specifyBody: 'json', jsonBody: '={{ $json }}' }),
		},
		http4: { name: 'HTTP Request, 4 expressions', node: mapped(four) },
		http13: { name: 'HTTP Request, 13 expressions', node: mapped(mappedFields) },
	} satisfies Record<string, Contestant>;
}

/** The same fields at the same places for the package's node and for the plain one. */
function placed(values: Partial<Record<MappedField, string>>): INode['parameters'] {
	const { pageName, amount, isFixedAmount, paymentPageLinkReference, ...optionalFields } = values;
	return {
		operation: 'create',
		pageName,
		amount,
		...(isFixedAmount === undefined ? {} : { isFixedAmount }),
		paymentPageLinkReference,
		ifReferenceExists: 'create',
		optionalFields,
	};
}

/** All contestants; their nodes have the credentials of this n8n. */
export async function createContestants(bench: Bench) {
	const { client, sandbox } = bench;
	const header = await client.createCredential({
		name: 'Private key in a header',
		type: 'httpHeaderAuth',
		data: { name: 'Authorization', value: `Bearer ${sandbox.settings.privateKey}` },
	});
	const credentials = credentialFor(bench.credentials, 'paymentPagesPrivateKeyApi');
	const ours = (name: string, parameters: INode['parameters']): Contestant => ({
		name: `Payment Page, ${name}`,
		node: {
			type: 'n8n-nodes-payment-pages.paymentPage',
			typeVersion: 1,
			credentials,
			parameters: { resource: 'paymentPage', ...parameters },
		},
	});
	const plain = (name: string, parameters: INode['parameters']): Contestant => ({
		name: `plain declarative node, ${name}`,
		node: { type: 'CUSTOM.plainPaymentPage', typeVersion: 1, credentials, parameters },
	});
	const automatic = { operation: 'create', mappingMode: 'autoMapInputData' };
	const createAnyway = { ...automatic, ifReferenceExists: 'create' };
	return {
		...httpRequests(bench, credentialFor([header], 'httpHeaderAuth')),
		automatic: ours('map automatically', createAnyway),
		automaticFail: ours('map automatically, If Reference Exists: Fail', automatic),
		fixed: ours('fixed values', placed(fixedValues)),
		ours4: ours('4 expressions', placed(expressions(four))),
		ours13: ours('13 expressions', placed(expressions(mappedFields))),
		plainFixed: plain('fixed values', placed(fixedValues)),
		plain4: plain('4 expressions', placed(expressions(four))),
		plain13: plain('13 expressions', placed(expressions(mappedFields))),
		onlySends: {
			name: 'declarative node that only sends',
			node: {
				type: 'CUSTOM.onlySends',
				typeVersion: 1,
				credentials,
				parameters: { operation: 'create' },
			},
		},
	} satisfies Record<string, Contestant>;
}

/** Stores a workflow that gives the contestant's node so many rows. */
export async function storeWorkflow(
	{ client }: Bench,
	contestant: Contestant,
	items: number,
): Promise<string> {
	const node = (name: string, part: Contestant['node']): INode => ({
		id: randomUUID(),
		name,
		position: [0, 0],
		...part,
	});
	const next = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const { id } = await client.createWorkflow({
		name: `${contestant.name}, ${items} items`,
		nodes: [
			node('Manual Trigger', {
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				parameters: {},
			}),
			node('Rows', {
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				parameters: { jsCode: rowsCode(items) },
			}),
			node(measuredNode, contestant.node),
		],
		connections: { 'Manual Trigger': next('Rows'), Rows: next(measuredNode) },
		settings: { executionOrder: 'v1' },
	});
	return id;
}
