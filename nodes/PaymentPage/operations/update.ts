import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { privateKeyCredential } from '../../shared/credential';
import { InvalidFieldError, serviceText } from '../../shared/errors';
import { ExactNumber, toOutputValues, type RequestBody } from '../../shared/exactJson';
import {
	fieldsWithoutValue,
	judgeEach,
	rejectCalculatedZero,
	rejectOtherMerchant,
	toBody,
} from '../fields/checks';
import { fieldsOf, type PageField } from '../fields/pageFields';
import { labelOf, readAutomatically, readBelow, type PageReading } from '../fields/readPage';
import { comparisonKey } from '../fields/reference';
import { declaredRequest, routingOf, type Operation } from '../run/runItem';
import { sendWithRetries } from '../run/send';

const fields = fieldsOf('update');

/** Whether the service selects the page by one or by the other is not shown, so both are sent. */
const identity: PageField[] = ['id', 'paymentPageLinkReference'];

export const updateFields = fields.filter((field) => !identity.includes(field));

interface Input {
	body: RequestBody;
	merchants: unknown[];
}

function toInput(page: PageReading, withoutValue: readonly PageField[]): Input {
	const body = toBody(page, withoutValue, fields);
	if (body.id === undefined && body.paymentPageLinkReference === undefined) {
		throw new InvalidFieldError(
			"'Page ID'",
			"and 'Reference' are both empty",
			'Fill in at least one of them, better both, so that the service can find the page.',
		);
	}
	if (Object.keys(body).length === Object.keys(identityOf(body)).length) {
		throw new InvalidFieldError(
			'The row',
			'has nothing to change',
			page.isAutomatic
				? 'Add a column that is named after a field, with a value. A field cannot be emptied.'
				: "Add a field with a value to 'Update Fields'. A field cannot be emptied.",
		);
	}
	const { amount } = body;
	if (page.fields.amount !== undefined && amount instanceof ExactNumber && !Number(amount.digits)) {
		rejectCalculatedZero(labelOf('amount', page.isAutomatic), page.fields.amount);
	}
	return { body, merchants: page.merchants };
}

/** The ID and the reference as the node returns them: an ID beyond 2^53 as text. */
function identityOf({ id, paymentPageLinkReference }: RequestBody): IDataObject {
	return toOutputValues({
		...(id === undefined ? {} : { id }),
		...(paymentPageLinkReference === undefined ? {} : { paymentPageLinkReference }),
	});
}

/** Update payment page (docs/interface.md, "Update payment page"). */
const update: Operation<PageReading, Input> = {
	credential: privateKeyCredential,

	rerunAdvice: () => 'A new run sends all rows again.',

	read: (context, node) =>
		context.getNodeParameter('mappingMode', '') === 'autoMapInputData'
			? readAutomatically(context, node, fields, identity)
			: readBelow(context, identity, 'updateFields', updateFields),

	judge(readings) {
		const withoutValue = fieldsWithoutValue(readings);
		return judgeEach(readings, (reading) => toInput(reading, withoutValue));
	},

	/** Rows of one page are sent in their order, so that the last one wins. */
	exclusiveKey: ({ body: { id, paymentPageLinkReference: reference } }) =>
		typeof reference === 'string'
			? `update ${comparisonKey(reference)}`
			: `update by ID ${id instanceof ExactNumber ? id.digits : ''}`,

	async perform(context, { body, merchants }) {
		const { merchantId } = context.credential;
		rejectOtherMerchant(merchants, merchantId);
		const request = declaredRequest(context, { merchantId, ...body });
		const envelope = await sendWithRetries(context, request, { isRepeatable: true });
		return {
			updated: true,
			...identityOf(body),
			responseMessage: serviceText(envelope.responseMessage),
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
