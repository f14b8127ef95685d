import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { INode } from 'n8n-workflow';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import type { Rig } from '../shared/rig';
import { credentialFor } from '../shared/triggers';

/** One way to create a page for each item. */
export interface Contestant {
	name: string;
	/** The node, in a workflow that gives it the rows. */
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;
}

export const measuredNode = 'Create pages';

/** A row as a CRM gives it, whose columns have the names of the page fields; "#" is its number. */
const row = {
	pageName: 'Invoice #',
	amount: 49.9,
	paymentPageLinkReference: 'invoice-#',
	isFixedAmount: true,
	description: 'Consulting in December, two days on site, travel included',
	businessName: 'O’Hara & Söhne GmbH',
	isPhoneNumberRequired: false,
	callBackUrl: 'https://www.shop.example/paid/#',
	successMessage: 'Thank you, we have received your payment.',
	notificationEmail: 'accounting@shop.example',
	isTestMode: true,
	pageType: 'invoice',
	additionalFields: '[]',
};
type Field = keyof typeof row;
const thirteen = Object.keys(row) as Field[];
const four = thirteen.slice(0, 4);

/** What a person gets who drags columns onto the fields. */
function expressions(fields: Field[]): Partial<Record<Field, string>> {
	return Object.fromEntries(fields.map((field) => [field, `={{ $json.${field} }}`]));
}

function httpRequests(url: string, credentials: INode['credentials']) {
	const request = (name: string, body: INode['parameters']): Contestant => ({
		name: `HTTP Request, ${name}`,
		node: {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.5,
			credentials,
			parameters: {
				method: 'POST',
				url,
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
				sendBody: true,
				options: {},
				...body,
			},
		},
	});
	const mapped = (fields: Field[]) => {
		const parameters = Object.entries(expressions(fields)).map(([name, value]) => ({
			name,
			value,
		}));
		return { specifyBody: 'keypair', bodyParameters: { parameters } };
	};
	const json = { specifyBody: 'json', jsonBody: '={{ $json }}' };
	return {
		httpJson: request('one JSON expression', json),
		http4: request('4 expressions', mapped(four)),
		http13: request('13 expressions', mapped(thirteen)),
	};
}

/** The same fields at the same places for the package's node and for the plain one. */
function placed(fields: Field[]): INode['parameters'] {
	const own = expressions(fields.slice(0, 4));
	return { operation: 'create', ...own, optionalFields: expressions(fields.slice(4)) };
}

/** All contestants; their nodes have the credentials of this n8n. */
export async function createContestants({ client, sandbox, ...rig }: Rig) {
	const header = await client.createCredential({
		name: 'Private key in a header',
		type: 'httpHeaderAuth',
		data: { name: 'Authorization', value: `Bearer ${sandbox.settings.privateKey}` },
	});
	const credentials = credentialFor(rig.credentials, 'paymentPagesPrivateKeyApi');
	const node = (name: string, type: string, parameters: INode['parameters']): Contestant => {
		return { name, node: { type, typeVersion: 1, credentials, parameters } };
	};
	const ours = (name: string, parameters: INode['parameters']) =>
		node(`Payment Page, ${name}`, 'n8n-nodes-payment-pages.paymentPage', {
			resource: 'paymentPage',
			ifReferenceExists: 'create',
			...parameters,
		});
	const plain = (name: string, parameters: INode['parameters']) =>
		node(`plain declarative node, ${name}`, 'CUSTOM.plainPaymentPage', parameters);
	const automatic = { operation: 'create', mappingMode: 'autoMapInputData' };
	const url = `${sandbox.baseUrl}/PaymentPages/Add`;
	return {
		...httpRequests(url, credentialFor([header], 'httpHeaderAuth')),
		automatic: ours('map automatically', automatic),
		automaticFail: ours('map automatically, If Reference Exists: Fail', {
			...automatic,
			ifReferenceExists: 'error',
		}),
		ours4: ours('4 expressions', placed(four)),
		ours13: ours('13 expressions', placed(thirteen)),
		plain4: plain('4 expressions', placed(four)),
		plain13: plain('13 expressions', placed(thirteen)),
		onlySends: node('declarative node that only sends', 'CUSTOM.onlySends', automatic),
	} satisfies Record<string, Contestant>;
}

/** Stores a workflow that gives the contestant's node so many rows. */
export async function storeWorkflow(
	{ client }: Rig,
	{ name: workflowName, node }: Contestant,
	items: number,
): Promise<string> {
	const rows = `const row = ${JSON.stringify(JSON.stringify(row))};
return Array.from({ length: ${items} }, (_, index) => ({ json: JSON.parse(row.replaceAll('#', index + 1)) }));`;
	const named = (name: string, part: Contestant['node']): INode => {
		return { id: randomUUID(), name, position: [0, 0], ...part };
	};
	const n8ns = (type: string, typeVersion: number, parameters: INode['parameters']) => {
		return { type: `n8n-nodes-base.${type}`, typeVersion, parameters };
	};
	const next = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const { id } = await client.createWorkflow({
		name: `${workflowName}, ${items} items`,
		nodes: [
			named('Manual Trigger', n8ns('manualTrigger', 1, {})),
			named('Rows', n8ns('code', 2, { jsCode: rows })),
			named(measuredNode, node),
		],
		connections: { 'Manual Trigger': next('Rows'), Rows: next(measuredNode) },
		settings: { executionOrder: 'v1' },
	});
	return id;
}

/** Compiles the nodes of this folder into a temporary one, for n8n's N8N_CUSTOM_EXTENSIONS. */
export async function buildComparisonNodes(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-comparison-nodes-'));
	const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
	for (const name of await readdir(__dirname)) {
		if (!name.endsWith('.node.ts')) continue;
		const source = await readFile(path.join(__dirname, name), 'utf8');
		const { outputText } = transpileModule(source, { compilerOptions });
		await writeFile(path.join(folder, name.replace(/\.ts$/, '.js')), outputText);
	}
	return folder;
}
