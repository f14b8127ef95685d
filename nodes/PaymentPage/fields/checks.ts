import { excerpt, InvalidFieldError } from '../../shared/errors';
import type { ExactNumber, RequestBody } from '../../shared/exactJson';
import { isBlank, trimmed } from '../../shared/values';
import { labelOf, toPageBody, type PageField, type PageValues } from './pageFields';
import { identifyingFields, saysNothing, type FieldReading, type PageReading } from './readPage';

/** What can't be right, judged by values (docs/mapping.md, "What is checked"). */

/** The identifying fields without a value in every row: no blank cells, but a misspelled column, say. */
export function fieldsWithoutValue(readings: readonly PageReading[]): PageField[] {
	return identifyingFields.filter((field) =>
		readings.every(({ withoutValue }) => withoutValue[field] !== undefined),
	);
}

/** Rejects an item that says nothing, such as the last rows of a sheet, whatever text the fields add. */
function rejectEmptyRow({ fields }: PageReading): void {
	const fromItem = identifyingFields.filter((field) => fields[field]?.takesFromItem === true);
	const isNamedByItem = fromItem.some((field) => field !== 'amount');
	if (!isNamedByItem || fromItem.some((field) => !saysNothing(fields[field]))) return;
	const advice = 'Remove empty rows with a Filter node before this one.';
	throw new InvalidFieldError('The row', 'is empty', advice);
}

/** As spreadsheets write it in English, German, French, Spanish, Italian and Portuguese. */
const formulaResult =
	/^\s*#(?:N\/[AD]|NV|NULL!|¡?DIV\/0!|¡?REF!|NAME\?|¿NOMBRE\?|NOME?\?|¡?NUM!|(?:¡?VALOR|VALUE|VALEUR|VALORE|WERT|BEZUG|ZAHL|RIF|ERROR|SPILL|CALC|FIELD|BLOCKED|CONNECT|UNKNOWN|BUSY)!)\s*$/;

/** JavaScript's words for nothing, by themselves. */
const wordForNothing = /(?<![\p{L}\p{N}])(?:undefined|null|NaN)(?![\p{L}\p{N}])/u;

function rejectLeftovers(label: string, field: PageField, { value, parts }: FieldReading): void {
	// A list of one value is that value, also in a part.
	const all = parts.flatMap((part) => part.value);
	const texts = all.filter((text) => typeof text === 'string');
	const formula = [value, ...texts].find((text) => formulaResult.test(String(text)));
	if (formula !== undefined) {
		throw new InvalidFieldError(
			label,
			`is ${excerpt(formula)}, which a spreadsheet writes for a formula without a result`,
			'Correct the formula in the table, or remove the row.',
		);
	}
	if (field !== 'pageName' && field !== 'paymentPageLinkReference') return;
	const word = texts.map((text) => wordForNothing.exec(text)?.[0]).find(Boolean);
	if (word === undefined) return;
	throw new InvalidFieldError(
		label,
		`contains "${word}", which stands for a missing value: ${excerpt(value)}`,
		'Check the columns in the expression, or remove the row with a Filter node before this one.',
	);
}

/** Every row without a number would have the same "INV-". */
function rejectTextAlone(label: string, reading: FieldReading): void {
	if (isBlank(reading.value) || !saysNothing(reading)) return;
	throw new InvalidFieldError(
		label,
		`has only the text around its columns, which are empty: ${excerpt(reading.value)}`,
		'Fill in the column, or remove the row with a Filter node before this one.',
	);
}

/** JavaScript joins texts where a person adds numbers: "49" + "5" is "495". */
function rejectJoinedNumbers(label: string, { parts, shown }: FieldReading): void {
	const sums = parts.filter(({ holdsPlus }) => holdsPlus);
	const text = sums.find(({ value }) => typeof value === 'string' && !isBlank(value));
	if (text === undefined) return;
	throw new InvalidFieldError(
		label,
		`joins texts into ${excerpt(text.value)} instead of adding numbers: ${shown}`,
		'Write Number(…) around each part, as in {{ Number($json.net) + Number($json.tax) }}.',
	);
}

/** JavaScript makes 0 of a blank: "" * 1.19 is 0. */
export function rejectCalculatedZero(label: string, { parts, shown }: FieldReading): void {
	if (parts.every(({ column }) => column !== undefined)) return;
	throw new InvalidFieldError(
		label,
		`is calculated as 0: ${shown}`,
		'Check whether a column is empty. For a deliberate 0, enter it or map a column that holds it.',
	);
}

function checkedValue(field: PageField, reading: FieldReading, label: string): unknown {
	rejectLeftovers(label, field, reading);
	if (field === 'paymentPageLinkReference' || field === 'id') rejectTextAlone(label, reading);
	if (field !== 'amount') return reading.value;
	rejectJoinedNumbers(label, reading);
	return saysNothing(reading) && reading.value !== false ? undefined : reading.value;
}

/**
 * The fields of one row, as the request carries them: blanks are left out.
 *
 * @param withoutValue fields that have no value in any row that was started together
 * @throws InvalidFieldError for a row or a value that can't be right
 */
export function toBody(
	reading: PageReading,
	withoutValue: readonly PageField[],
	fields: readonly PageField[],
): RequestBody {
	const label = (field: PageField) => labelOf(field, reading.isAutomatic);
	const [missing] = withoutValue;
	if (missing !== undefined) {
		throw new InvalidFieldError(
			label(missing),
			`has no value: ${reading.withoutValue[missing] ?? ''}. Is the column spelled as in the input?`,
			'If it may be missing, end the expression with ?? "", as in {{ $json.column ?? "" }}.',
		);
	}
	rejectEmptyRow(reading);
	const values: PageValues = {};
	for (const [name, fieldReading] of Object.entries(reading.fields)) {
		const field = name as PageField;
		values[field] = checkedValue(field, fieldReading, label(field));
	}
	return toPageBody(fields, values, reading.isAutomatic);
}

/** @throws InvalidFieldError for another merchant: the page, and its money, would be the credential's */
export function rejectOtherMerchant(merchants: readonly unknown[], { digits }: ExactNumber): void {
	const other = merchants.find((value) => {
		// A number beyond 2^53 has lost its last digits, so it may be the same.
		if (typeof value === 'number') return Number.isInteger(value) && value !== Number(digits);
		const text = typeof value === 'string' ? trimmed(value) : '';
		return /^\d+$/.test(text) && BigInt(text) !== BigInt(digits);
	});
	if (other === undefined) return;
	throw new InvalidFieldError(
		"The column 'merchantId'",
		`names another merchant than the credential: ${excerpt(other)}`,
		'Use a credential of that merchant for its rows, or remove the column with an Edit Fields node before this one.',
	);
}

/** @throws whatever is not a value that can't be right */
function invalidFieldErrorOf(error: unknown): InvalidFieldError {
	if (error instanceof InvalidFieldError) return error;
	throw error;
}

/** Judges rows one by one; a row that can't be right gets its error as its result. */
export function judgeEach<Reading, Input>(
	readings: readonly Reading[],
	judge: (reading: Reading) => Input,
): Array<Input | InvalidFieldError> {
	return readings.map((reading) => {
		try {
			return judge(reading);
		} catch (error) {
			return invalidFieldErrorOf(error);
		}
	});
}
