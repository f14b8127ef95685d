import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';

import { isBlank, isEmptyDeep } from '../../../../shared/values';
import { InvalidFieldError } from '../../../../shared/errors';
import { fieldLabel } from '../fieldProperties';
import type { PageField, PageValues } from '../pageFields';
import { columnsOf } from './columns';
import { emptyItem, refuseEmptyItem, refuseEmptyName } from './emptyItem';
import { withoutBlanksAround } from './expressions';
import { refuseFixedText } from './fixedText';
import { refuseMiscalculated, shown } from './miscalculated';
import { evaluateParts, givesNothing, rawField, readField } from './readField';

/** Which parameters hold the fields of an operation. */
export interface FieldParameters {
	/** Parameters of their own in both modes; with automatic mapping they come before a column. */
	always: readonly PageField[];
	/** Parameters of their own when each field is mapped. */
	below: readonly PageField[];
	/** The parameter that holds all other fields. */
	collection: string;
	/** What automatic mapping takes from columns. */
	columns: readonly PageField[];
	/** Fields for which automatic mapping rejects a column that looks like it. */
	decisive: PageField[];
}

/** What must tell one item from another, or one merchant. */
const keys: PageField[] = ['id', 'paymentPageLinkReference', 'merchantId'];

/**
 * Without its amount, a page lets the payer type any; without its merchant, it pays another; and
 * without its key, it is one page more, or another.
 */
const neverDropped: PageField[] = ['amount', ...keys];

/**
 * The values of one item, by field name.
 *
 * @throws InvalidFieldError for an empty item, for a column that seems to be meant but has another
 *   name, for an amount, a merchant or a key whose expression gives nothing,
 *   and for a key of fixed text around blank columns
 */
export function readPageValues(
	context: IExecutePaginationFunctions,
	parameters: FieldParameters,
): PageValues {
	const { json } = context.getInputData();
	if (context.getNodeParameter('mappingMode', 'defineBelow') === 'autoMapInputData') {
		return readAutomatically(context, json, parameters);
	}
	const { always, below, collection } = parameters;
	const names = [...below, ...always];
	const raw: PageValues = {};
	for (const name of names) raw[name] = rawField(context, name);
	const chosen = context.getNodeParameter(collection, {}, { rawExpressions: true });
	const more = typeof chosen === 'object' && chosen !== null ? (chosen as PageValues) : {};
	refuseEmptyItem(json, { ...more, ...raw }, names);
	const values = readFields(context, raw, '');
	refuseEmptyName(context, raw, values);
	return { ...values, ...readFields(context, more, `${collection}.`) };
}

/** @param path of the parameter that holds the fields, with a dot at its end */
function readFields(
	context: IExecutePaginationFunctions,
	raw: PageValues,
	path: string,
): PageValues {
	const values: PageValues = {};
	for (const name of Object.keys(raw) as PageField[]) {
		values[name] = readChecked(context, name, raw[name], path);
	}
	return values;
}

function readChecked(
	context: IExecutePaginationFunctions,
	name: PageField,
	written: unknown,
	path: string,
): unknown {
	// A blank beside it makes text of a number, and 1.125 as text has two meanings.
	const raw = name === 'amount' ? withoutBlanksAround(written) : written;
	const value =
		raw === written ? readField(context, `${path}${name}`, raw) : evaluateParts(context, raw)[0];
	if (neverDropped.includes(name) && givesNothing(context, raw, value)) {
		throw new InvalidFieldError(
			fieldLabel(name),
			`has an expression that returns nothing: ${shown(written)}`,
			'Check that its columns exist in this item and that it treats text and numbers correctly. If the value may be missing, add ?? "" at the end of the expression: {{ $json.total ?? "" }}.',
		);
	}
	if (name === 'amount') refuseMiscalculated(context, fieldLabel(name), raw, value);
	if (keys.includes(name)) refuseFixedText(context, fieldLabel(name), raw, value);
	return value;
}

function readAutomatically(
	context: IExecutePaginationFunctions,
	json: IDataObject,
	{ always, columns, decisive }: FieldParameters,
): PageValues {
	// An imported workflow may ask for it all the same, and an old n8n shows the choice.
	if (context.getNode().type.endsWith('Tool')) {
		throw new InvalidFieldError(
			'Mapping Mode',
			"cannot be 'Map Automatically' in a tool of an AI agent",
			"Choose 'Map Each Field Below', and let the model fill in the fields. If there is no such choice, add the tool again.",
		);
	}
	const raw: PageValues = {};
	const given: PageValues = {};
	for (const name of always) raw[name] = rawField(context, name);
	// No parameter is decisive: one may be blank on purpose, and the columns say which page it is.
	refuseEmptyItem(json, raw, []);
	for (const name of always) {
		if (isBlank(raw[name])) continue;
		const value = readChecked(context, name, raw[name], '');
		if (!isBlank(value)) given[name] = value;
	}
	const values = columnsOf(json, columns, given, decisive);
	const names = Object.keys(values);
	const isBlankPage = Object.values({ ...values, ...given }).every(isBlank);
	if (isBlankPage && (names.length > 0 || isEmptyDeep(json))) throw emptyItem(names);
	return { ...values, ...given };
}
