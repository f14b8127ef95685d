import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { privateKeyCredential } from '../../../shared/credential';
import { stringifyExactJson, toOutputValues } from '../../../shared/exactJson';
import type { BodyValue, RequestBody } from '../../../shared/exactJson';
import { InvalidFieldError, excerpt } from '../../../shared/invalidFieldError';
import { createFields, toPageBody } from '../../../shared/pageFields';
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
	mappingModeProperties,
	readPageValues,
	whenAutomatic,
} from './mapping';
import type { FieldParameters } from './mapping';
import { pageExists } from './pageExists';
import { isCreated, mayHaveCreated, notCreatedSoFar } from './lostCreate';

const parameters: FieldParameters = {
	below: ['pageName', 'amount'],
	always: ['paymentPageLinkReference'],
	collection: 'optionalFields',
	columns: createFields,
};

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

/** Tells pages apart: each merchant has references of its own. */
function pageKey({ merchantId = '', paymentPageLinkReference = '' }: RequestBody): string {
	return stringifyExactJson({ merchantId, paymentPageLinkReference });
}

interface Input {
	body: RequestBody;
	reference: string;
}

/** Create payment page (interface, "Create payment page"). */
export const create: Operation<Input> = {
	credential: privateKeyCredential,

	read(context) {
		const body = toPageBody(createFields, readPageValues(context, parameters), fieldLabel);
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

	async perform(context, input, options) {
		const { created, lostCreates } = context.run;
		const item = context.node.getItemIndex();
		// In another try of "Retry On Fail", the page of the try before is asked for and sent.
		const lostBefore = lostCreates.get(item);
		const { reference, sent } = lostBefore ?? {
			reference: input.reference,
			sent: { merchantId: context.credential.merchantId, ...input.body },
		};
		const page = pageKey(sent);
		const done = (result: Result) => {
			created.add(page);
			lostCreates.delete(item);
			return result;
		};
		const recovered = () => done({ output: { ...toOutputValues(sent), recovered: true } });

		if (lostBefore !== undefined) {
			if (await isCreated(context, lostBefore)) return recovered();
		} else if (asksFirst(options)) {
			const exists = created.has(page) || orThrow(await pageExists(context, reference));
			if (exists) return existing(reference, options);
			const lostByAnother = [...lostCreates.values()].find(({ sent }) => pageKey(sent) === page);
			if (lostByAnother !== undefined) throw notCreatedSoFar(lostByAnother);
		}

		const request: ServiceRequest = { method: 'POST', path: paths.createPage, body: sent };
		const outcome = await call(context, request, false);
		if (outcome instanceof ServiceError) {
			if (!mayHaveCreated(outcome)) throw outcome;
			const wasAbsent = asksFirst(options) || lostBefore !== undefined;
			const lost = { reference, sent, error: outcome, wasAbsent };
			lostCreates.set(item, lost);
			if (await isCreated(context, lost)) return recovered();
			throw notCreatedSoFar(lost);
		}
		const { data } = outcome;
		// Without data, what was sent is all that is known of the page.
		const output = isRecord(data) ? (data as IDataObject) : toOutputValues(sent);
		return done({ output, envelope: outcome });
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
		...mappingModeProperties,
		...showOnly(whenAutomatic, [automaticMappingNotice(createFields)]),
		...showOnly(fieldsBelow, [fieldProperties.pageName, fieldProperties.amount]),
		fieldProperties.paymentPageLinkReference,
		...showOnly(fieldsBelow, [
			fieldCollection('optionalFields', 'Optional Fields', createFields, [
				...parameters.below,
				...parameters.always,
			]),
		]),
		optionsProperty(ifReferenceExists),
	],
);
