import type { INodeProperties } from 'n8n-workflow';

import { apiKeyCredential } from '../../../shared/credential';
import { authenticationProperty } from '../../properties/authentication';
import { registerOption, registerProperties } from './register';

const showForWebhook = { show: { resource: ['webhook'] } };

export const webhookProperties: INodeProperties[] = [
	authenticationProperty(apiKeyCredential, showForWebhook),
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: showForWebhook,
		options: [registerOption],
		default: 'register',
	},
	...registerProperties,
];
