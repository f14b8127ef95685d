import type { INodeProperties } from 'n8n-workflow';

import { privateKeyCredential } from '../../../shared/credential';
import { authenticationProperty } from '../../properties/authentication';
import { createOption, createProperties } from './create/create';
import { updateOption, updateProperties } from './update';
import { validateReferenceOption, validateReferenceProperties } from './validateReference';

const showForPaymentPage = { show: { resource: ['paymentPage'] } };

export const paymentPageProperties: INodeProperties[] = [
	authenticationProperty(privateKeyCredential, showForPaymentPage),
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: showForPaymentPage,
		options: [createOption, updateOption, validateReferenceOption],
		default: 'create',
	},
	...createProperties,
	...updateProperties,
	...validateReferenceProperties,
];
