import type { IExecutePaginationFunctions, INode, INodeProperties } from 'n8n-workflow';

import { privateKeyCredential } from '../../shared/credential';
import { InvalidFieldError } from '../../shared/errors';
import { ExactNumber } from '../../shared/exactJson';
import { isBlank, toPathSegment } from '../../shared/values';
import { fieldsWithoutValue, judgeEach, toBody } from '../fields/checks';
import {
	collectionOf,
	fieldsOf,
	formOf,
	labelOf,
	showFor,
	type PageField,
} from '../fields/pageFields';
import { readAutomatically, readBelow, type PageReading } from '../fields/readPage';
import { comparisonKey, deriveReference } from '../fields/reference';
import type { Operation } from '../run/runItem';
import { createPage, sharedReference, type CreateInput } from './createPage';

const fields = fieldsOf('create');
const ownFields: PageField[] = ['pageName', 'amount', 'isFixedAmount', 'paymentPageLinkReference'];
const optionalFields = fields.filter((field) => !ownFields.includes(field));

type Reading = Pick<CreateInput, 'choice' | 'isSimple'> & { page: PageReading };

function read(context: IExecutePaginationFunctions, node: INode): Reading {
	const isAutomatic = context.getNodeParameter('mappingMode', '') === 'autoMapInputData';
	return {
		page: isAutomatic
			? readAutomatically(context, node, fields, ['isFixedAmount', 'paymentPageLinkReference'])
			: readBelow(context, ownFields, 'optionalFields', optionalFields),
		choice: context.getNodeParameter('ifReferenceExists', 'error') as Reading['choice'],
		isSimple: context.getNodeParameter('simplify', true) !== false,
	};
}

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function toInput({ page, ...settings }: Reading, withoutValue: readonly PageField[]): CreateInput {
	const body = toBody(page, withoutValue, fields);
	const { pageName, amount, isFixedAmount = true, paymentPageLinkReference: typed } = body;
	const isDerived = typeof typed !== 'string' || typed === '';
	const reference = isDerived ? deriveReference(textOf(pageName)) : typed;
	if (reference === '') {
		throw new InvalidFieldError(
			"'Page Name'",
			"and 'Reference' are both empty",
			page.isAutomatic
				? "The rows need a column 'pageName' or 'paymentPageLinkReference'."
				: 'Fill in at least one of them.',
		);
	}
	if (isDerived && settings.choice === 'skip') {
		throw new InvalidFieldError(
			"'Reference'",
			"is empty, but 'If Reference Exists' is set to 'Skip'",
			'Enter a reference for each row, such as the invoice number. One made from the page name can be that of an older page.',
		);
	}
	// Without an amount, the payer of a page with a fixed one could pay anything, or nothing.
	const isPositive = amount instanceof ExactNumber && Number(amount.digits) > 0;
	if (isFixedAmount === true && !isPositive) {
		throw new InvalidFieldError(
			labelOf('amount', page.isAutomatic),
			`is ${amount === undefined ? 'empty' : '0'}, but 'Fixed Amount' is on`,
			"Enter an amount above 0, or turn off 'Fixed Amount' to let the payer choose.",
		);
	}
	// Rejects what could never be asked for again.
	toPathSegment(reference);
	const always = { isFixedAmount, paymentPageLinkReference: reference };
	// An empty list is written as text (docs/interface.md, "Payment page").
	const whole = { additionalFields: '[]', ...body, ...always };
	return { ...settings, reference, isDerived, merchants: page.merchants, body: whole };
}

function hasTypedReference({ page }: Reading): boolean {
	return !isBlank(page.fields.paymentPageLinkReference?.value);
}

/** The reference of a row, as a service may compare it; '' for a row that names none. */
function keyOf(reading: Reading): string {
	const { paymentPageLinkReference: typed, pageName } = reading.page.fields;
	const derived = () => deriveReference(textOf(pageName?.value));
	return comparisonKey(hasTypedReference(reading) ? String(typed?.value) : derived());
}

/** Create payment page (docs/interface.md, "Create payment page"). */
export const create: Operation<Reading, CreateInput> = {
	credential: privateKeyCredential,

	rerunAdvice(reading) {
		if (reading === undefined || !hasTypedReference(reading)) {
			return 'To go on, remove the finished rows and run again.';
		}
		const how = reading.choice === 'skip' ? '' : "set 'If Reference Exists' to 'Skip' and ";
		return `To go on, ${how}run again: only the missing pages are created.`;
	},

	read,

	judge(readings) {
		const withoutValue = fieldsWithoutValue(readings.map(({ page }) => page));
		const counts = new Map<string, number>();
		for (const key of readings.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
		return judgeEach(readings, (reading) => {
			const input = toInput(reading, withoutValue);
			const isShared = (counts.get(comparisonKey(input.reference)) ?? 0) > 1;
			if (input.isDerived && isShared) throw sharedReference(input.reference);
			return input;
		});
	},

	exclusiveKey: ({ reference, choice }) =>
		choice === 'create' ? undefined : comparisonKey(reference),

	perform: createPage,
};

const ifReferenceExists: INodeProperties = {
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

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const below = { mappingMode: ['defineBelow'] };

/** Before the reference, which Create shares with other operations. */
export const createForms: INodeProperties[] = [
	...showFor(below, [formOf('pageName', { required: true }), formOf('amount')]),
	formOf('isFixedAmount'),
];

export const moreCreateForms: INodeProperties[] = [
	ifReferenceExists,
	...showFor(below, [collectionOf('optionalFields', 'Optional Fields', optionalFields)]),
	simplify,
];
