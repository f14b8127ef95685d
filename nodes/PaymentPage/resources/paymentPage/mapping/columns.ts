import type { IDataObject } from 'n8n-workflow';

import { isBlank, withoutBlanks } from '../../../../shared/values';
import { excerpt, InvalidFieldError } from '../../../../shared/errors';
import { fieldLabel } from '../fieldProperties';
import type { PageField, PageValues } from '../pageFields';

/** A page without one of these is never what was meant, so a column that seems to be it is not ignored. */
export const decisiveFields: PageField[] = ['pageName', 'amount', 'paymentPageLinkReference'];

/** A name without case and without what separates its words. */
function looseName(name: string): string {
	return name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{Letter}\p{Number}]/gu, '');
}

const looseNames = new Map(decisiveFields.map((field) => [looseName(field), field]));

/**
 * The columns of an item that have the name of a page field. Blanks and signs that nobody sees make
 * no other name of it.
 *
 * @param given fields that the panel gives, which no column needs to give
 * @param decisive fields without which nothing is sent that was meant
 * @throws InvalidFieldError for two columns of one name, and for a column with a value whose name
 *   differs from that of a decisive field in case or separators
 */
export function columnsOf(
	json: IDataObject,
	fields: readonly PageField[],
	given: PageValues = {},
	decisive = decisiveFields,
): PageValues {
	const known = new Set<string>(fields);
	const values: PageValues = {};
	const others: string[] = [];
	for (const [column, value] of Object.entries(json)) {
		const name = known.has(column) ? column : withoutBlanks(column);
		if (known.has(name)) addColumn(values, name as PageField, value);
		else others.push(column);
	}
	const isMissing = (field: PageField) =>
		known.has(field) && !(field in values) && !(field in given);
	// Almost always none is missing, and then no name needs to be looked at again.
	for (const column of decisive.some(isMissing) ? others : []) {
		if (isBlank(json[column])) continue;
		const field = looseNames.get(looseName(column));
		if (field === undefined || !decisive.includes(field) || !isMissing(field)) continue;
		throw new InvalidFieldError(
			fieldLabel(field),
			`has no column, but the column ${excerpt(column)} looks like it`,
			`Rename the column to '${field}' with an Edit Fields node before this one, or remove it there if it means something else.`,
		);
	}
	return values;
}

function addColumn(values: PageValues, field: PageField, value: unknown): void {
	const earlier = values[field];
	if (!isBlank(earlier) && !isBlank(value) && JSON.stringify(earlier) !== JSON.stringify(value)) {
		throw new InvalidFieldError(
			fieldLabel(field),
			'has two columns with different values, whose names differ only in spaces or invisible characters',
			'Remove or rename one of them with an Edit Fields node before this one.',
		);
	}
	if (!(field in values) || !isBlank(value)) values[field] = value;
}
