import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

const inParallel = 5;

const credential = 'paymentPagesPrivateKeyApi';

/**
 * A node that does nothing but send the items as they are, five at a time, with n8n's own helper: what
 * n8n itself takes for a request with a credential, below which no node can get.
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
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { baseUrl } = await this.getCredentials<{ baseUrl: string }>(credential);
		const output: INodeExecutionData[] = [];
		const left = [...this.getInputData().entries()];
		const sendOnAndOn = async () => {
			for (let next = left.shift(); next !== undefined; next = left.shift()) {
				const [item, { json: body }] = next;
				const json: unknown = await this.helpers.httpRequestWithAuthentication.call(
					this,
					credential,
					{
						method: 'POST',
						url: `${baseUrl}/PaymentPages/Add`,
						body,
					},
				);
				output[item] = { json: json as IDataObject, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: inParallel }, sendOnAndOn));
		return [output];
	}
}
