import type { IDataObject } from 'n8n-workflow';

import {
	clearRecord,
	isRecorded,
	recordedSecret,
	recordedUrl,
	writeRecord,
} from '../../../nodes/PaymentPageTrigger/registration/record';
import { seal } from '../../../nodes/shared/secrets';
import { secret as vectorSecret, token as vectorToken } from './vectors';

const registration = {
	webhookUrl: 'https://n8n.shop.example/webhook/1/webhook',
	baseUrl: 'https://api.service.example/v1',
	merchantId: '1002003004005006007',
	apiKey: 'api-key',
	secret: vectorSecret,
};

/** Static data as it is after n8n stored it as JSON and read it again. */
function stored(): IDataObject {
	const staticData: IDataObject = { other: 1 };
	writeRecord(staticData, registration);
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}

it('knows exactly what was registered', () => {
	expect(isRecorded(stored(), registration)).toBe(true);
	expect(recordedUrl(stored())).toBe(registration.webhookUrl);
});

it.each([
	{ webhookUrl: 'https://n8n.shop.example/webhook/2/webhook' },
	{ webhookUrl: `${registration.webhookUrl}/` },
	{ baseUrl: 'https://api.service.example/v2' },
	{ merchantId: '1002003004005006008' },
	{ secret: 'another' },
	{ apiKey: 'another' },
])('does not take %j for what was registered', (change) => {
	expect(isRecorded(stored(), { ...registration, ...change })).toBe(false);
});

describe('the secret', () => {
	/** The record of a process that has ended: this one has not opened its seal. */
	const foreign = { registration: { sealedSecret: seal(vectorSecret, vectorToken) } };

	it('is known at once where it was registered, also without the token', () => {
		expect(recordedSecret(stored(), undefined)).toBe(vectorSecret);
	});

	it('comes out of its seal with the right token alone, and is known from then on', () => {
		for (const token of [undefined, '', 'wrong', [vectorToken], `${vectorToken} `]) {
			expect(recordedSecret(foreign, token)).toBeUndefined();
		}
		expect(recordedSecret(foreign, vectorToken)).toBe(vectorSecret);
		expect(recordedSecret(foreign, undefined)).toBe(vectorSecret);
	});
});

it('holds no secret in plain text', () => {
	expect(JSON.stringify(stored())).not.toContain(vectorSecret);
});

it('forgets the registration, and nothing else', () => {
	const staticData = stored();
	clearRecord(staticData);
	expect(isRecorded(staticData, registration)).toBe(false);
	expect(recordedUrl(staticData)).toBeUndefined();
	expect(recordedSecret(staticData, vectorToken)).toBeUndefined();
	expect(staticData['other']).toBe(1);
});

it.each([{}, { registration: null }, { registration: 'x' }, { registration: { sealedSecret: 7 } }])(
	'reads %j as nothing registered',
	(staticData) => {
		expect(isRecorded(staticData, registration)).toBe(false);
		expect(recordedUrl(staticData)).toBeUndefined();
		expect(recordedSecret(staticData, vectorToken)).toBeUndefined();
	},
);
