import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { privateKeyCredential } from '../../../../shared/credential';
import type { BodyValue } from '../../../../shared/exactJson';
import { InvalidFieldError } from '../../../../shared/errors';
import { toPathSegment } from '../../../../shared/values';
import { updateDisplayOptions } from '../../../properties/displayOptions';
import { optionsProperty } from '../../../properties/options';
import type { Operation } from '../../../run/operation';
import { routingOf } from '../../../run/runItem';
import { fieldCollection, fieldLabel, fieldProperties } from '../fieldProperties';
import { looseReference } from '../looseReference';
import { decisiveFields } from '../mapping/columns';
import {
	automaticMappingNotice,
	fieldsBelow,
	forCreateAndUpdate,
	mappingModeProperties,
	whenAutomatic,
} from '../mapping/mappingMode';
import { readPageValues, type FieldParameters } from '../mapping/readPageValues';
import { createFields, toPageBody } from '../pageFields';
import { createPage, type CreateInput } from './createPage';
import { deriveReference } from './deriveReference';
import { asksFirst, ifReferenceExists } from './ifReferenceExists';

const parameters: FieldParameters = {
	below: ['pageName', 'amount'],
	always: ['paymentPageLinkReference'],
	collection: 'optionalFields',
	columns: createFields,
	decisive: decisiveFields,
};

const noFields = '[]';

function textOf(value: BodyValue | undefined): string {
	return typeof value === 'string' ? value : '';
}

/** Create payment page (docs/interface.md, "Create payment page"). */
export const create: Operation<CreateInput> = {
	credential: privateKeyCredential,

	rerunAdvice: "With 'If Reference Exists' set to 'Skip', it creates only the missing pages.",

	read(context) {
		const body = toPageBody(createFields, readPageValues(context, parameters), fieldLabel);
		const given = textOf(body.paymentPageLinkReference);
		const reference = given || deriveReference(textOf(body.pageName));
		if (reference === '') {
			throw new InvalidFieldError(
				'Page Name',
				'and Payment Page Link Reference are both empty',
				"Fill in at least one of them. With 'Map Automatically', the incoming items need a column named 'pageName' or 'paymentPageLinkReference'.",
			);
		}
		// Refuses what could never be asked for again.
		toPathSegment(reference);
		return {
			reference,
			isDerived: given === '',
			body: { additionalFields: noFields, ...body, paymentPageLinkReference: reference },
		};
	},

	exclusiveKey: ({ reference }, options) =>
		asksFirst(options) ? looseReference(reference) : undefined,

	perform: createPage,
};

export const createOption: INodePropertyOptions = {
	name: 'Create',
	value: 'create',
	action: 'Create payment page',
	description: 'Make a hosted payment page and get its link',
	routing: {
		request: { method: 'POST', url: '/PaymentPages/Add' },
		...routingOf(create),
	},
};

const forCreate = { show: { resource: ['paymentPage'], operation: ['create'] } };

export const createProperties: INodeProperties[] = [
	...mappingModeProperties,
	...updateDisplayOptions(forCreate, [
		...updateDisplayOptions(whenAutomatic, [automaticMappingNotice(createFields)]),
		...updateDisplayOptions(fieldsBelow, [fieldProperties.pageName, fieldProperties.amount]),
	]),
	...updateDisplayOptions(forCreateAndUpdate, [fieldProperties.paymentPageLinkReference]),
	...updateDisplayOptions(forCreate, [
		...updateDisplayOptions(fieldsBelow, [
			fieldCollection('optionalFields', 'Optional Fields', createFields, [
				...parameters.below,
				...parameters.always,
			]),
		]),
		optionsProperty(ifReferenceExists),
	]),
];
