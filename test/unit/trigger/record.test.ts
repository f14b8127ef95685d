import type { IDataObject } from 'n8n-workflow';

import {
	clearRecord,
	hasRecord,
	isRecorded,
	noteProof,
	recordedKeys,
	strongestProof,
	writeRecord,
} from '../../../nodes/PaymentPageTrigger/registration/record';
import { seal } from '../../../nodes/PaymentPageTrigger/secrets';
import { keys, keysOf } from './vectors';

const registration = {
	webhookUrl: 'https://n8n.shop.example/webhook/1/webhook',
	baseUrl: 'https://api.service.example/v1',
	merchantId: '1002003004005006007',
	apiKey: 'api-key',
	hasToken: true,
	keys,
};

/** Static data as it is after n8n stored it as JSON and read it again. */
function stored(): IDataObject {
	const staticData: IDataObject = { other: 1 };
	writeRecord(staticData, registration);
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}

test('knows exactly what was registered', () => {
	expect(isRecorded(stored(), registration)).toBe(true);
	expect(hasRecord(stored())).toBe(true);
});

test.each([
	{ webhookUrl: 'https://n8n.shop.example/webhook/2/webhook' },
	{ webhookUrl: `${registration.webhookUrl}/` },
	{ baseUrl: 'https://api.service.example/v2' },
	{ merchantId: '1002003004005006008' },
	{ keys: keysOf('another') },
	{ hasToken: false },
	{ apiKey: 'another' },
])('does not take %j for what was registered', (change) => {
	expect(isRecorded(stored(), { ...registration, ...change })).toBe(false);
});

describe('the keys', () => {
	/** The record of a process that has ended: this one has not opened its seal. */
	const foreign = { registration: { sealedSecret: seal(keys) } };

	test('is known at once where it was registered, also without the token', () => {
		expect(recordedKeys(stored(), undefined)).toEqual([keys]);
	});

	test('comes out of its seal with the right token alone, and is known from then on', () => {
		for (const token of [undefined, '', 'wrong', `${keys.token} `]) {
			expect(recordedKeys(foreign, token)).toEqual([]);
		}
		expect(recordedKeys(foreign, keys.token)).toEqual([keys]);
		expect(recordedKeys(foreign, undefined)).toEqual([keys]);
	});
});

test('holds no key in plain text', () => {
	for (const key of Object.values(keys)) expect(JSON.stringify(stored())).not.toContain(key);
});

test('keeps no secret of a registration without a token', () => {
	const staticData: IDataObject = {};
	writeRecord(staticData, { ...registration, hasToken: false });
	expect(staticData['registration']).not.toHaveProperty('sealedSecret');
	expect(recordedKeys(staticData, keys.token)).toEqual([]);
	expect(isRecorded(staticData, { ...registration, hasToken: false })).toBe(true);
});

describe('the strongest proof', () => {
	test('only grows, and is there after a restart', () => {
		const staticData = stored();
		expect(strongestProof(staticData)).toBeUndefined();
		for (const [kind, strongest] of [
			['url token', undefined],
			['secret', 'secret'],
			['url token', 'secret'],
			['signature', 'signature'],
			['secret', 'signature'],
		] as const) {
			noteProof(staticData, kind);
			expect(strongestProof(staticData)).toBe(strongest);
		}
		const sealedElsewhere = { registration: { sealedSecret: 'x', strongestProof: 'signature' } };
		expect(strongestProof(sealedElsewhere)).toBe('signature');
		expect(
			strongestProof({ registration: { sealedSecret: 'y', strongestProof: 7 } }),
		).toBeUndefined();
	});

	test('holds at once for requests whose static data was loaded before, and is stored again', () => {
		const first = stored();
		const second = JSON.parse(JSON.stringify(first)) as IDataObject;
		noteProof(first, 'signature');
		expect(strongestProof(second)).toBe('signature');
		noteProof(second, 'signature');
		expect(second).toMatchObject({ registration: { strongestProof: 'signature' } });
	});

	test('is learned anew after another registration of the same', () => {
		const staticData = stored();
		noteProof(staticData, 'signature');
		writeRecord(staticData, registration);
		expect(strongestProof(staticData)).toBeUndefined();
	});
});

test('forgets the registration, and nothing else', () => {
	const staticData = stored();
	clearRecord(staticData);
	expect(isRecorded(staticData, registration)).toBe(false);
	expect(hasRecord(staticData)).toBe(false);
	expect(recordedKeys(staticData, keys.token)).toEqual([]);
	expect(staticData['other']).toBe(1);
});

test.each([
	{},
	{ registration: null },
	{ registration: 'x' },
	{ registration: { sealedSecret: 7 } },
])('reads %j as nothing registered', (staticData) => {
	expect(isRecorded(staticData, registration)).toBe(false);
	expect(hasRecord(staticData)).toBe(false);
	expect(recordedKeys(staticData, keys.token)).toEqual([]);
});
