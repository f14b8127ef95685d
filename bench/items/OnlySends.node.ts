import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

const credential = 'paymentPagesPrivateKeyApi';

/** What the items of one run share: one address, and five lanes in which one is sent after another. */
interface Run {
	baseUrl: Promise<string>;
	lanes: Array<Promise<unknown>>;
	begun: number;
}

const runs = new WeakMap<object, Run>();

async function baseUrlOf(node: IExecutePaginationFunctions): Promise<string> {
	return (await node.getCredentials<{ baseUrl: string }>(credential)).baseUrl;
}

async function send(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const key = this.getExecuteData();
	const lanes = Array.from({ length: 5 }, () => Promise.resolve());
	const run: Run = runs.get(key) ?? { baseUrl: baseUrlOf(this), lanes, begun: 0 };
	runs.set(key, run);
	const lane = run.begun++ % run.lanes.length;
	const { json: body } = this.getInputData();
	const sent = Promise.all([run.baseUrl, run.lanes[lane]]).then(([baseURL]) =>
		this.makeRoutingRequest({ ...requestData, options: { ...requestData.options, baseURL, body } }),
	);
	run.lanes[lane] = sent;
	return sent;
}

/**
 * A declarative node that does nothing but send the items as they are, five at a time: what n8n's
 * engine itself takes, below which no declarative node can get.
 */
export class OnlySends implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Only Sends',
		name: 'onlySends',
		group: ['output'],
		version: 1,
		description: 'Send items as they are',
		defaults: { name: 'Only Sends' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: credential, required: true }],
		requestDefaults: {},
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Create',
						value: 'create',
						routing: {
							request: { method: 'POST', url: '/PaymentPages/Add' },
							send: { paginate: true },
							operations: { pagination: send },
						},
					},
				],
				default: 'create',
			},
		],
	};
}
