import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { privateKeyCredential } from '../../../shared/credential';
import { ExactNumber, toOutputValues, type RequestBody } from '../../../shared/exactJson';
import { InvalidFieldError } from '../../../shared/errors';
import { serviceText } from '../../../shared/service/redact';
import { updateDisplayOptions } from '../../properties/displayOptions';
import { declaredRequest, type Operation } from '../../run/operation';
import { routingOf } from '../../run/runItem';
import { sendWithRetries } from '../../run/sendWithRetries';
import { fieldCollection, fieldLabel, fieldProperties } from './fieldProperties';
import { looseReference } from './looseReference';
import { automaticMappingNotice, fieldsBelow, whenAutomatic } from './mapping/mappingMode';
import { readPageValues, type FieldParameters } from './mapping/readPageValues';
import { toPageBody, updateFields, type PageField } from './pageFields';

/** Rows of every table have an `id` of their own, and many a mark that they are deleted. */
const neverFromColumn: PageField[] = ['id', 'isDeleted'];

const parameters: FieldParameters = {
	below: [],
	always: ['id', 'paymentPageLinkReference'],
	collection: 'updateFields',
	columns: updateFields.filter((field) => !neverFromColumn.includes(field)),
	// An update need not change the name or the amount.
	decisive: ['paymentPageLinkReference'],
};

/** The ID and the reference as the node returns them: an ID beyond 2^53 as text. */
function identityOf({ id, paymentPageLinkReference }: RequestBody): IDataObject {
	const identity = {
		...(id === undefined ? {} : { id }),
		...(paymentPageLinkReference === undefined ? {} : { paymentPageLinkReference }),
	};
	return toOutputValues(identity);
}

/**
 * Update payment page (docs/interface.md, "Update payment page"). Whether the service selects the page by
 * ID or by reference is not shown, so both are sent when both are known.
 */
export const update: Operation<RequestBody> = {
	credential: privateKeyCredential,

	rerunAdvice: 'It sends every item again, including those that are done.',

	read(context) {
		const body = toPageBody(updateFields, readPageValues(context, parameters), fieldLabel);
		if (body.id === undefined && body.paymentPageLinkReference === undefined) {
			throw new InvalidFieldError(
				'Page ID',
				'and Payment Page Link Reference are both empty',
				'Fill in at least one of them, better both, so that the service can find the page.',
			);
		}
		return body;
	},

	exclusiveKey: ({ id, paymentPageLinkReference: reference }) =>
		typeof reference === 'string'
			? `reference ${looseReference(reference)}`
			: `id ${id instanceof ExactNumber ? id.digits : ''}`,

	async perform(context, body) {
		const { merchantId } = context.credential;
		const request = declaredRequest(context, { merchantId, ...body });
		const envelope = await sendWithRetries(context, request, true);
		return {
			output: {
				updated: true,
				...identityOf(body),
				responseMessage: serviceText(envelope.responseMessage),
			},
			envelope,
		};
	},
};

export const updateOption: INodePropertyOptions = {
	name: 'Update',
	value: 'update',
	action: 'Update payment page',
	description: 'Change fields of an existing payment page',
	routing: {
		request: { method: 'POST', url: '/PaymentPages/Update' },
		...routingOf(update),
	},
};

const forUpdate = { show: { resource: ['paymentPage'], operation: ['update'] } };

/** Mapping Mode and Payment Page Link Reference stand with Create, Options with Validate Reference. */
export const updateProperties: INodeProperties[] = updateDisplayOptions(forUpdate, [
	...updateDisplayOptions(whenAutomatic, [
		automaticMappingNotice(
			parameters.columns,
			" The columns 'id' and 'isDeleted' are never sent, because many tables use them for their own rows. Enter 'Page ID' below, and delete pages with 'Map Each Field Below'.",
		),
	]),
	fieldProperties.id,
	...updateDisplayOptions(fieldsBelow, [
		fieldCollection('updateFields', 'Update Fields', updateFields, [
			...parameters.below,
			...parameters.always,
		]),
	]),
]);
