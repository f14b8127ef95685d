import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { privateKeyCredential } from '../../../../shared/credentials/credential';
import type { BodyValue } from '../../../../shared/fields/exactJson';
import { InvalidFieldError } from '../../../../shared/fields/invalidFieldError';
import { createFields, toPageBody } from '../pageFields';
import { deriveReference, toPathSegment } from '../../../../shared/fields/reference';
import type { Operation } from '../../../run/operation';
import { optionsProperty } from '../../../properties/options';
import { routingOf } from '../../../run/runItem';
import { updateDisplayOptions } from '../../../properties/displayOptions';
import { decisiveFields } from '../mapping/columns';
import { createPage, type CreateInput } from './createPage';
import { fieldCollection, fieldLabel, fieldProperties } from '../fieldProperties';
import { asksFirst, ifReferenceExists } from './ifReferenceExists';
import { looseReference } from '../looseReference';
import {
	automaticMappingNotice,
	fieldsBelow,
	mappingModeProperties,
	readPageValues,
	whenAutomatic,
	type FieldParameters,
} from '../mapping/mapping';

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

/** Create payment page (interface, "Create payment page"). */
export const create: Operation<CreateInput> = {
	credential: privateKeyCredential,

	rerunAdvice: 'With If Reference Exists set to Skip, it creates only what is missing.',

	read(context) {
		const body = toPageBody(createFields, readPageValues(context, parameters), fieldLabel);
		const given = textOf(body.paymentPageLinkReference);
		const reference = given || deriveReference(textOf(body.pageName));
		if (reference === '') {
			throw new InvalidFieldError(
				'Page Name',
				'and Payment Page Link Reference are both empty',
				'Fill in at least one of them. With automatic mapping, the incoming items need a column named pageName or paymentPageLinkReference.',
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
	action: 'Create a payment page',
	description: 'Make a hosted page that people can pay on, and get its link',
	routing: routingOf(create),
};

export const createProperties: INodeProperties[] = updateDisplayOptions(
	{ resource: ['paymentPage'], operation: ['create'] },
	[
		...mappingModeProperties,
		...updateDisplayOptions(whenAutomatic, [automaticMappingNotice(createFields)]),
		...updateDisplayOptions(fieldsBelow, [fieldProperties.pageName, fieldProperties.amount]),
		fieldProperties.paymentPageLinkReference,
		...updateDisplayOptions(fieldsBelow, [
			fieldCollection('optionalFields', 'Optional Fields', createFields, [
				...parameters.below,
				...parameters.always,
			]),
		]),
		optionsProperty(ifReferenceExists),
	],
);
