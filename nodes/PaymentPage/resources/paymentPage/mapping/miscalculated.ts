import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';

import { isBlank, isEmptyDeep } from '../../../../shared/values';
import { excerpt, InvalidFieldError } from '../../../../shared/errors';
import { calculation, columnPathsIn, hasFallback, otherNodePathsIn } from './expressions';

/**
 * Refuses an amount that JavaScript makes where a person means another: a blank is 0 when it is
 * calculated with, as in `Number("")`, and two texts are joined, "49" + "5" to "495".
 *
 * @param raw what the field holds in the workflow
 * @param value of the field
 * @throws InvalidFieldError
 */
export function refuseMiscalculated(
	context: IExecutePaginationFunctions,
	label: string,
	raw: unknown,
	value: unknown,
): void {
	// What is no number is refused for that.
	if (isBlank(value) || Number.isNaN(Number(value)) || hasFallback(raw)) return;
	const isZero = Number(value) === 0;
	const { calculates, joins } = calculation(raw);
	const blank = isZero || calculates ? blankIn(context, raw, isZero) : undefined;
	if (blank !== undefined) {
		throw new InvalidFieldError(
			label,
			isZero
				? `is 0 because the column ${excerpt(blank)} is empty: ${shown(raw)}`
				: `is calculated with the column ${excerpt(blank)}, which is empty: ${shown(raw)}`,
			'Fill in the column, or define what an empty one means, for example {{ $json.total ? $json.total * 1.19 : "" }} to send no amount.',
		);
	}
	if (!joins || typeof value !== 'string') return;
	throw new InvalidFieldError(
		label,
		`joins text into ${excerpt(value)} instead of adding numbers: ${shown(raw)}`,
		'Convert the columns to numbers first, for example {{ Number($json.net) + Number($json.tax) }}.',
	);
}

/** An expression as the panel shows it. */
export function shown(raw: unknown): string {
	return excerpt(String(raw).replace(/^=/, ''));
}

/** The first column that is blank, of this item or of another node. */
function blankIn(
	context: IExecutePaginationFunctions,
	raw: unknown,
	isZero: boolean,
): string | undefined {
	const { json } = context.getInputData();
	const own = columnPathsIn(raw).find((path) => isBlankAt(json, path, isZero));
	if (own !== undefined) return own.join('.');
	return otherNodePathsIn(raw).find((path) =>
		isBlank(context.evaluateExpression(`{{ ${path} }}`, context.getItemIndex())),
	);
}

/**
 * Whether a path ends at a blank. Where it goes on with what the value has not, such as a method, the
 * value counts; then a 0 may also come of a list that holds nothing, or of a blank in it.
 */
function isBlankAt(json: IDataObject, path: readonly string[], isZero: boolean): boolean {
	let value: unknown = json;
	for (const name of path) {
		if (typeof value !== 'object' || value === null) break;
		// A missing column of its own makes no number, only a 0.
		if (!Object.hasOwn(value, name)) {
			if (value === json) return isZero;
			break;
		}
		value = (value as IDataObject)[name];
	}
	return isBlank(value) || (isZero && holdsBlank(value));
}

function holdsBlank(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isBlank(value);
	return isEmptyDeep(value) || Object.values(value).some(holdsBlank);
}
