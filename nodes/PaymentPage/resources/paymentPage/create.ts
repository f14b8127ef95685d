import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { privateKeyCredential } from '../../../shared/credential';
import { toOutputValues } from '../../../shared/exactJson';
import type { BodyValue, RequestBody } from '../../../shared/exactJson';
import { InvalidFieldError, excerpt } from '../../../shared/invalidFieldError';
import { createFields, toPageBody } from '../../../shared/pageFields';
import type { PageField } from '../../../shared/pageFields';
import { deriveReference, toPathSegment } from '../../../shared/reference';
import { isRecord, paths } from '../../../shared/service';
import type { ServiceRequest } from '../../../shared/service';
import { ServiceError, orThrow } from '../../../shared/serviceError';
import type { Operation, Result } from '../../operation';
import { optionsProperty } from '../../options';
import type { Options } from '../../options';
import { call } from '../../run/call';
import { routingOf } from '../../run/runItem';
import { showOnly } from '../../show';
import { fieldCollection, fieldLabel, fieldProperties } from './fieldProperties';
import {
	automaticMappingNotice,
	fieldsBelow,
	mappingModeProperty,
	readPageValues,
} from './mapping';
import { pageExists } from './pageExists';
import { isCreated, mayHaveCreated, notCreatedSoFar } from './lostCreate';

const topLevel: PageField[] = ['pageName', 'amount', 'paymentPageLinkReference'];

const noFields = '[]';

function asksFirst({ ifReferenceExists = 'create' }: Options): boolean {
	return ifReferenceExists !== 'create';
}

function textOf(value: BodyValue | undefined): string {
	return typeof value === 'string' ? value : '';
}

/** For a page that was there before. */
function existing(reference: string, { ifReferenceExists }: Options): Result {
	if (ifReferenceExists === 'skip') {
		return { output: { skipped: true, exists: true, paymentPageLinkReference: reference } };
	}
	throw new ServiceError(
		`A page with the reference ${excerpt(reference)} exists already`,
		'Use another reference, update the page instead, or set If Reference Exists to Skip.',
		{ kind: 'refused' },
	);
}

interface Input {
	body: RequestBody;
	reference: string;
}

/** Create payment page (interface, "Create payment page"). */
export const create: Operation<Input> = {
	credential: privateKeyCredential,

	read(context) {
		const body = toPageBody(
			createFields,
			readPageValues(context, topLevel, 'optionalFields'),
			fieldLabel,
		);
		const reference =
			textOf(body.paymentPageLinkReference) || deriveReference(textOf(body.pageName));
		if (reference === '') {
			throw new InvalidFieldError(
				'Page Name',
				'and Payment Page Link Reference are both empty',
				'Fill in at least one of them. With automatic mapping, the incoming items need a column named pageName or paymentPageLinkReference.',
			);
		}
		// Refuses what could never be asked for again.
		toPathSegment(reference);
		return {
			reference,
			body: { additionalFields: noFields, ...body, paymentPageLinkReference: reference },
		};
	},

	turnOf: ({ reference }, options) => (asksFirst(options) ? reference : undefined),

	async perform(context, { body, reference }, options) {
		const { created, lostCreates } = context.run;
		const item = context.node.getItemIndex();
		const sent = { merchantId: context.credential.merchantId, ...body };
		const recovered = () => {
			created.add(reference);
			return { output: { ...toOutputValues(sent), recovered: true } };
		};

		const lostBefore = lostCreates.get(item);
		if (lostBefore !== undefined) {
			// Another try of "Retry On Fail": the page of the try before may be there by now.
			if (await isCreated(context, reference, lostBefore)) return recovered();
		} else if (asksFirst(options)) {
			const exists = created.has(reference) || orThrow(await pageExists(context, reference));
			if (exists) return existing(reference, options);
		}

		const request: ServiceRequest = { method: 'POST', path: paths.createPage, body: sent };
		const outcome = await call(context, request, false);
		if (outcome instanceof ServiceError) {
			if (!mayHaveCreated(outcome)) throw outcome;
			const wasAbsent = asksFirst(options) || lostBefore !== undefined;
			const lost = { error: outcome, wasAbsent };
			lostCreates.set(item, lost);
			if (await isCreated(context, reference, lost)) return recovered();
			throw notCreatedSoFar(reference, outcome);
		}
		created.add(reference);
		const { data } = outcome;
		// Without data, what was sent is all that is known of the page.
		const output = isRecord(data) ? (data as IDataObject) : toOutputValues(sent);
		return { output, envelope: outcome };
	},
};

const ifReferenceExists: INodeProperties = {
	displayName: 'If Reference Exists',
	name: 'ifReferenceExists',
	type: 'options',
	options: [
		{
			name: 'Create Anyway',
			value: 'create',
			description: 'Do not ask; the service decides what a second page with the reference is',
		},
		{
			name: 'Fail',
			value: 'error',
			description: 'Ask first, and fail the item when a page with the reference exists',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'Ask first, and leave the page that exists as it is; good for running again',
		},
	],
	default: 'create',
	description: 'What to do when the service already has a page with the reference',
};

export const createOption: INodePropertyOptions = {
	name: 'Create',
	value: 'create',
	action: 'Create a payment page',
	description: 'Make a hosted page that people can pay on, and get its link',
	routing: routingOf(create),
};

export const createProperties: INodeProperties[] = showOnly(
	{ resource: ['paymentPage'], operation: ['create'] },
	[
		mappingModeProperty,
		...showOnly({ mappingMode: ['autoMapInputData'] }, [automaticMappingNotice(createFields)]),
		...showOnly(fieldsBelow, [
			fieldProperties.pageName,
			fieldProperties.amount,
			fieldProperties.paymentPageLinkReference,
			fieldCollection('optionalFields', 'Optional Fields', createFields, topLevel),
		]),
		optionsProperty(ifReferenceExists),
	],
);
