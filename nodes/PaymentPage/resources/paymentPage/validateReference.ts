import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { privateKeyCredential } from '../../../shared/credential';
import { isBlank, toPathSegment, toTrimmedText } from '../../../shared/values';
import { InvalidFieldError } from '../../../shared/errors';
import {
	pageExistsIn,
	validateReferencePath,
	validateReferenceRequest,
} from '../../../shared/service/request';
import { updateDisplayOptions } from '../../properties/displayOptions';
import { optionsProperty } from '../../properties/options';
import { declaredRequest, type Operation } from '../../run/operation';
import { routingOf } from '../../run/runItem';
import { fieldProperties } from './fieldProperties';
import { refuseEmptyItem } from './mapping/emptyItem';
import { refuseFixedText } from './mapping/fixedText';
import { rawField, readField } from './mapping/readField';
import { validate } from './pageExists';

/** Validate payment page reference (docs/interface.md, "Validate payment page reference"). */
export const validateReference: Operation<string> = {
	credential: privateKeyCredential,

	rerunAdvice: 'It checks every item again.',

	read(context) {
		const raw = rawField(context, 'paymentPageLinkReference');
		const value = readField(context, 'paymentPageLinkReference', raw);
		if (isBlank(value)) {
			throw new InvalidFieldError(
				'Payment Page Link Reference',
				'is empty',
				'Enter the reference to check.',
			);
		}
		// Text around a blank column is no reference.
		const { json } = context.getInputData();
		refuseEmptyItem(json, { paymentPageLinkReference: raw }, ['paymentPageLinkReference']);
		refuseFixedText(context, 'Payment Page Link Reference', raw, value);
		const reference = toTrimmedText('Payment Page Link Reference', value);
		toPathSegment(reference);
		return reference;
	},

	async perform(context, reference) {
		const request = validateReferenceRequest(reference, declaredRequest(context).path);
		const envelope = await validate(context, reference, request);
		const exists = pageExistsIn(envelope);
		return {
			output: { paymentPageLinkReference: reference, exists, available: !exists, isValid: exists },
			envelope,
		};
	},
};

export const validateReferenceOption: INodePropertyOptions = {
	name: 'Validate Reference',
	value: 'validateReference',
	action: 'Check if payment page exists',
	description: 'Find out whether a payment page with this reference exists',
	routing: {
		// The reference follows, as one segment of the path.
		request: { method: 'GET', url: validateReferencePath },
		...routingOf(validateReference),
	},
};

const resource = ['paymentPage'];

const forValidateReference = { show: { resource, operation: ['validateReference'] } };

const forUpdateAndValidateReference = {
	show: { resource, operation: ['update', 'validateReference'] },
};

export const validateReferenceProperties: INodeProperties[] = [
	...updateDisplayOptions(forValidateReference, [
		{
			...fieldProperties.paymentPageLinkReference,
			required: true,
			description:
				"Reference to check. In the output, 'exists' is true if a page has it, and 'available' is true if none does. The service's own name for 'exists' is 'isValid'.",
		},
	]),
	...updateDisplayOptions(forUpdateAndValidateReference, [optionsProperty()]),
];
