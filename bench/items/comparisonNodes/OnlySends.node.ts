import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

const credential = 'paymentPagesPrivateKeyApi';

/** What the items of one run share: at most five are sent at once, to one address. */
class Run {
	private free = 5;

	private readonly waiting: Array<() => void> = [];

	constructor(readonly baseUrl: Promise<string>) {}

	async takePlace(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	leavePlace(): void {
		const next = this.waiting.shift();
		if (next === undefined) this.free++;
		else next();
	}
}

const runs = new WeakMap<object, Run>();

async function baseUrlOf(node: IExecutePaginationFunctions): Promise<string> {
	return (await node.getCredentials<{ baseUrl: string }>(credential)).baseUrl;
}

function runOf(node: IExecutePaginationFunctions): Run {
	const key = node.getExecuteData();
	const run = runs.get(key) ?? new Run(baseUrlOf(node));
	runs.set(key, run);
	return run;
}

async function send(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const run = runOf(this);
	await run.takePlace();
	const baseURL = await run.baseUrl;
	const { json: body } = this.getInputData();
	const options = { ...requestData.options, baseURL, body };
	const output = await this.makeRoutingRequest({ ...requestData, options });
	run.leavePlace();
	return output;
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
						action: 'Create a payment page',
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
