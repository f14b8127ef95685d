import type { IDataObject } from 'n8n-workflow';

import {
	clearRecord,
	isRecorded,
	recordedSecret,
	recordedUrl,
	writeRecord,
} from '../../../nodes/PaymentPageTrigger/registration/record';
import { secret } from './vectors';

const instanceId = 'a'.repeat(64);

const registration = {
	webhookUrl: 'https://n8n.shop.example/webhook/1/webhook',
	baseUrl: 'https://api.service.example/v1',
	merchantId: '1002003004005006007',
	secret,
};

/** Static data as it is after n8n stored it as JSON and read it again. */
function stored(): IDataObject {
	const staticData: IDataObject = { other: 1 };
	writeRecord(staticData, registration, instanceId);
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}

it('knows exactly what was registered', () => {
	expect(isRecorded(stored(), registration, instanceId)).toBe(true);
	expect(recordedUrl(stored())).toBe(registration.webhookUrl);
	expect(recordedSecret(stored(), instanceId)).toBe(secret);
});

it.each([
	{ webhookUrl: 'https://n8n.shop.example/webhook/2/webhook' },
	{ webhookUrl: `${registration.webhookUrl}/` },
	{ baseUrl: 'https://api.service.example/v2' },
	{ merchantId: '1002003004005006008' },
	{ secret: 'another' },
])('does not take %j for what was registered', (change) => {
	expect(isRecorded(stored(), { ...registration, ...change }, instanceId)).toBe(false);
});

it('recognises nothing on another n8n', () => {
	expect(isRecorded(stored(), registration, 'another n8n')).toBe(false);
	expect(recordedSecret(stored(), 'another n8n')).toBeUndefined();
});

it('holds no secret in plain text', () => {
	expect(JSON.stringify(stored())).not.toContain(secret);
});

it('forgets the registration, and nothing else', () => {
	const staticData = stored();
	clearRecord(staticData);
	expect(isRecorded(staticData, registration, instanceId)).toBe(false);
	expect(recordedUrl(staticData)).toBeUndefined();
	expect(recordedSecret(staticData, instanceId)).toBeUndefined();
	expect(staticData['other']).toBe(1);
});

it.each([{}, { registration: null }, { registration: 'x' }, { registration: { sealedSecret: 7 } }])(
	'reads %j as nothing registered',
	(staticData) => {
		expect(isRecorded(staticData, registration, instanceId)).toBe(false);
		expect(recordedUrl(staticData)).toBeUndefined();
		expect(recordedSecret(staticData, instanceId)).toBeUndefined();
	},
);
