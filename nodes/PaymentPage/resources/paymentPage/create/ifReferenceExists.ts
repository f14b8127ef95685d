import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { excerpt, ServiceError } from '../../../../shared/errors';
import type { Options } from '../../../properties/options';
import type { Result } from '../../../run/operation';
import { fieldLabel } from '../fieldProperties';
import type { PageField } from '../pageFields';
import { differingFields, type ItemName, type SentPage } from './sentPages';

export const ifReferenceExists: INodeProperties = {
	displayName: 'If Reference Exists',
	name: 'ifReferenceExists',
	type: 'options',
	options: [
		{
			name: 'Create Anyway',
			value: 'create',
			description: 'Create without checking; the service decides how to treat duplicates',
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
				'Check first, and leave an existing page as it is. Best for lists that you run again. Items with the same reference but different values fail.',
		},
	],
	default: 'create',
	description: 'What to do if a page with the reference already exists',
};

export function asksFirst({ ifReferenceExists: choice = 'create' }: Options): boolean {
	return choice !== 'create';
}

/** Which item created a page, as far as it is not clear from where that is read. */
function createdBy(by: ItemName, reader: ItemName): IDataObject {
	const isOtherNode = by.node !== reader.node;
	return {
		createdByItem: by.item,
		...(isOtherNode || by.run !== reader.run ? { createdByRun: by.run } : {}),
		...(isOtherNode ? { createdByNode: by.node } : {}),
	};
}

function nameOf(by: ItemName, reader: ItemName): string {
	const isOtherNode = by.node !== reader.node;
	return [
		`item ${by.item}`,
		...(isOtherNode || by.run !== reader.run ? [`of run ${by.run}`] : []),
		...(isOtherNode ? [`of the node ${excerpt(by.node)}`] : []),
	].join(' ');
}

/** What the item did that named a page first. */
function deedOf({ lost, wasThere }: SentPage): string {
	if (wasThere === true) return 'also requested';
	return lost === undefined ? 'created' : 'possibly created';
}

function existsAlready(page: SentPage, other: SentPage | undefined, differing: string[]): string {
	const message = `A page with the reference ${excerpt(page.reference)} already exists`;
	if (other === undefined) return message;
	const fields = differing.map((field) => fieldLabel(field as PageField)).join(', ');
	return [
		message,
		`${deedOf(other)} by ${nameOf(other.by, page.by)}`,
		...(other.reference === page.reference ? [] : [`as ${excerpt(other.reference)}`]),
		...(fields === '' ? [] : [`with a different value for ${fields}`]),
	].join(', ');
}

/** Two equal rows differ by it. */
const changing =
	'A field that changes with each item or run, such as {{ $now }}, counts as a different value.';

function adviceFor(differing: string[], isDerived: boolean): string {
	if (differing.length === 0) {
		return "Use another reference, update the page instead, or set 'If Reference Exists' to 'Skip'.";
	}
	return isDerived
		? `The reference comes from the page name, which both items share. Fill in 'Payment Page Link Reference' with a unique value for each item, such as the invoice number. ${changing}`
		: `Give each item its own reference, or remove the item that you do not need before this node. ${changing}`;
}

/**
 * For a page that is there. If another item of this execution has created it or was skipped for it,
 * and has other values, this item's page would be missing.
 *
 * @param other the page of this execution that the service may mean
 * @throws ServiceError when the item cannot be skipped
 */
export function existing(
	page: SentPage,
	other: SentPage | undefined,
	options: Options,
	isDerived: boolean,
): Result {
	const differing = other === undefined ? [] : differingFields(other.sent, page.sent);
	if (options.ifReferenceExists === 'skip' && differing.length === 0) {
		const paymentPageLinkReference = page.reference;
		const isMadeHere = other !== undefined && other.wasThere !== true;
		const maker = isMadeHere ? createdBy(other.by, page.by) : {};
		return { output: { skipped: true, exists: true, paymentPageLinkReference, ...maker } };
	}
	throw new ServiceError(existsAlready(page, other, differing), adviceFor(differing, isDerived), {
		kind: 'rejected',
	});
}
