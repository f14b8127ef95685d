import type { IDataObject } from 'n8n-workflow';

import { privateKeyCredential } from '../../shared/credential';
import { InvalidFieldError, serviceText } from '../../shared/errors';
import { ExactNumber, toOutputValues, type RequestBody } from '../../shared/exactJson';
import * as checks from '../fields/checks';
import { collectionOf, fieldsOf, labelOf, showFor, type PageField } from '../fields/pageFields';
import { readAutomatically, readBelow, type PageReading } from '../fields/readPage';
import { comparisonKey } from '../fields/reference';
import { declaredRequest, type Operation } from '../run/runItem';
import { sendWithRetries } from '../run/send';

const fields = fieldsOf('update');

/** Whether the service selects the page by one or by the other is not shown, so both are sent. */
const identity: PageField[] = ['id', 'paymentPageLinkReference'];

const updateFields = fields.filter((field) => !identity.includes(field));

interface Input {
	body: RequestBody;
	merchants: unknown[];
}

function toInput(page: PageReading, withoutValue: readonly PageField[]): Input {
	const body = checks.toBody(page, withoutValue, fields);
	const { id, amount, paymentPageLinkReference } = body;
	if (id === undefined && paymentPageLinkReference === undefined) {
		throw new InvalidFieldError(
			"'Page ID'",
			"and 'Reference' are both empty",
			'Fill in at least one of them, better both, so that the service can find the page.',
		);
	}
	if (!updateFields.some((field) => field in body)) {
		const how = page.isAutomatic
			? 'Add a column that is named after a field, with a value.'
			: "Add a field with a value to 'Update Fields'.";
		const advice = `${how} A field cannot be emptied.`;
		throw new InvalidFieldError('The row', 'has nothing to change', advice);
	}
	const isZero = amount instanceof ExactNumber && Number(amount.digits) === 0;
	if (isZero && page.fields.amount !== undefined) {
		checks.rejectCalculatedZero(labelOf('amount', page.isAutomatic), page.fields.amount);
	}
	return { body, merchants: page.merchants };
}

/** The ID and the reference as the node returns them: an ID beyond 2^53 as text. */
function identityOf(body: RequestBody): IDataObject {
	const known = Object.entries(body).filter(([field]) => identity.includes(field as PageField));
	return toOutputValues(Object.fromEntries(known));
}

/** Update payment page (docs/interface.md, "Update payment page"). */
export const update: Operation<PageReading, Input> = {
	credential: privateKeyCredential,

	read: (context, node) =>
		context.getNodeParameter('mappingMode', '') === 'autoMapInputData'
			? readAutomatically(context, node, fields, identity)
			: readBelow(context, identity, 'updateFields', updateFields),

	judge(readings) {
		const withoutValue = checks.fieldsWithoutValue(readings);
		return checks.judgeEach(readings, (reading) => toInput(reading, withoutValue));
	},

	/** Rows of one page are sent in their order, so that the last one wins. */
	exclusiveKey: ({ body: { id, paymentPageLinkReference: reference } }) =>
		typeof reference === 'string' ? comparisonKey(reference) : `id ${(id as ExactNumber).digits}`,

	async perform(context, { body, merchants }) {
		const { merchantId } = context.credential;
		checks.rejectOtherMerchant(merchants, merchantId);
		const request = declaredRequest(context, { merchantId, ...body });
		const { responseMessage } = await sendWithRetries(context, request, { isRepeatable: true });
		return { updated: true, ...identityOf(body), responseMessage: serviceText(responseMessage) };
	},
};

export const updateForms = showFor({ mappingMode: ['defineBelow'] }, [
	collectionOf('updateFields', 'Update Fields', updateFields),
]);
