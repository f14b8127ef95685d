import type {
	IExecutePaginationFunctions,
	INode,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { privateKeyCredential } from '../../shared/credential';
import { InvalidFieldError } from '../../shared/errors';
import { ExactNumber, type BodyValue } from '../../shared/exactJson';
import { isBlank, toPathSegment } from '../../shared/values';
import { fieldsWithoutValue, judgeEach, toBody } from '../fields/checks';
import { fieldsOf, formOf, type PageField } from '../fields/pageFields';
import { labelOf, readAutomatically, readBelow, type PageReading } from '../fields/readPage';
import { comparisonKey, deriveReference } from '../fields/reference';
import { routingOf, type Operation } from '../run/runItem';
import {
	createPage,
	sharedReference,
	type CreateInput,
	type IfReferenceExists,
} from './createPage';

const fields = fieldsOf('create');

const ownFields: PageField[] = ['pageName', 'amount', 'isFixedAmount', 'paymentPageLinkReference'];

export const optionalFields = fields.filter((field) => !ownFields.includes(field));

interface Reading {
	page: PageReading;
	choice: IfReferenceExists;
	isSimple: boolean;
}

function read(context: IExecutePaginationFunctions, node: INode): Reading {
	const isAutomatic = context.getNodeParameter('mappingMode', '') === 'autoMapInputData';
	return {
		page: isAutomatic
			? readAutomatically(context, node, fields, ['isFixedAmount', 'paymentPageLinkReference'])
			: readBelow(context, ownFields, 'optionalFields', optionalFields),
		choice: context.getNodeParameter('ifReferenceExists', 'error') as IfReferenceExists,
		isSimple: context.getNodeParameter('simplify', true) !== false,
	};
}

function textOf(value: BodyValue | undefined): string {
	return typeof value === 'string' ? value : '';
}

/** Without an amount, the payer of a page with a fixed one could pay anything, or nothing. */
function rejectOpenAmount(label: string, amount: BodyValue | undefined): void {
	if (amount instanceof ExactNumber && Number(amount.digits) > 0) return;
	throw new InvalidFieldError(
		label,
		`is ${amount === undefined ? 'empty' : '0'}, but 'Fixed Amount' is on`,
		"Enter an amount above 0, or turn off 'Fixed Amount' to let the payer choose.",
	);
}

const noFields = '[]';

function toInput(
	{ page, choice, isSimple }: Reading,
	withoutValue: readonly PageField[],
): CreateInput {
	const body = toBody(page, withoutValue, fields);
	const { pageName, amount, isFixedAmount = true, paymentPageLinkReference } = body;
	const given = textOf(paymentPageLinkReference);
	const reference = given === '' ? deriveReference(textOf(pageName)) : given;
	if (reference === '') {
		throw new InvalidFieldError(
			"'Page Name'",
			"and 'Reference' are both empty",
			page.isAutomatic
				? "The rows need a column 'pageName' or 'paymentPageLinkReference'."
				: 'Fill in at least one of them.',
		);
	}
	if (given === '' && choice === 'skip') {
		throw new InvalidFieldError(
			"'Reference'",
			"is empty, but 'If Reference Exists' is set to 'Skip'",
			'Enter a reference for each row, such as the invoice number. One made from the page name can be that of an older page.',
		);
	}
	if (isFixedAmount === true) rejectOpenAmount(labelOf('amount', page.isAutomatic), amount);
	// Rejects what could never be asked for again.
	toPathSegment(reference);
	return {
		reference,
		isDerived: given === '',
		body: {
			additionalFields: noFields,
			...body,
			isFixedAmount,
			paymentPageLinkReference: reference,
		},
		choice,
		isSimple,
		merchants: page.merchants,
	};
}

/** The address of a row, as a service may compare it; undefined for a row that names none. */
function addressOf({ page }: Reading): { key: string; isTyped: boolean } | undefined {
	const typed = page.fields.paymentPageLinkReference?.value;
	if (!isBlank(typed)) return { key: comparisonKey(String(typed)), isTyped: true };
	const name = page.fields.pageName?.value;
	const derived = typeof name === 'string' ? deriveReference(name) : '';
	return derived === '' ? undefined : { key: comparisonKey(derived), isTyped: false };
}

function judge(readings: Reading[]): Array<CreateInput | InvalidFieldError> {
	const withoutValue = fieldsWithoutValue(readings.map(({ page }) => page));
	const counts = new Map<string, number>();
	for (const reading of readings) {
		const key = addressOf(reading)?.key;
		if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return judgeEach(readings, (reading) => {
		const input = toInput(reading, withoutValue);
		const isShared = (counts.get(comparisonKey(input.reference)) ?? 0) > 1;
		if (input.isDerived && isShared) throw sharedReference(input.reference);
		return input;
	});
}

/** Create payment page (docs/interface.md, "Create payment page"). */
const create: Operation<Reading, CreateInput> = {
	credential: privateKeyCredential,

	rerunAdvice(reading) {
		if (reading === undefined || addressOf(reading)?.isTyped !== true) {
			return 'To go on, remove the finished rows and run again.';
		}
		const how = reading.choice === 'skip' ? '' : "set 'If Reference Exists' to 'Skip' and ";
		return `To go on, ${how}run again: only the missing pages are created.`;
	},

	read,

	judge,

	exclusiveKey: ({ reference, choice }) =>
		choice === 'create' ? undefined : `page ${comparisonKey(reference)}`,

	perform: createPage,
};

export const createOption: INodePropertyOptions = {
	name: 'Create',
	value: 'create',
	action: 'Create payment page',
	description: 'Create a new payment page and get its link',
	routing: {
		request: { method: 'POST', url: '/PaymentPages/Add' },
		...routingOf(create),
	},
};

export const ownForms: INodeProperties[] = [
	formOf('pageName', { required: true }),
	formOf('amount'),
];

export const fixedAmountForm = formOf('isFixedAmount');

export const ifReferenceExists: INodeProperties = {
	displayName: 'If Reference Exists',
	name: 'ifReferenceExists',
	type: 'options',
	options: [
		{
			name: 'Create Anyway',
			value: 'create',
			description: 'Create without checking. The service decides how to treat duplicates.',
		},
		{
			name: 'Fail',
			value: 'error',
			description: 'Check first, and fail the item if a page with the reference exists',
		},
		{
			name: 'Skip',
			value: 'skip',
			description:
				'Check first, and leave an existing page as it is. Its link is not in the output. Every item needs a reference. Best for lists that you run again.',
		},
	],
	default: 'error',
	description: 'What to do if a page with the reference already exists',
};

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
