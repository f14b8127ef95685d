import type { INodeProperties } from 'n8n-workflow';

/** What both credential types ask for in the same way. */

export const baseUrlProperty: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://api.service.example/v1',
	description: 'URL of the API with its path, but without the name of an endpoint',
};

export const merchantIdProperty: INodeProperties = {
	displayName: 'Merchant ID',
	name: 'merchantId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 1002003004005006007',
	description: 'Number of the merchant at the service, digits only',
};

export const allowUnauthorizedCertsProperty: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};
