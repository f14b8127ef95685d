import { startTlsFront, type TlsFront } from '../../tlsFront';
import { waitFor } from '../../../scripts/shared/waitFor';
import { addresses, withToken } from './addresses';
import { useTrigger } from './useTrigger';

/** The life of the trigger at a service whose certificate nobody but itself vouches for. */
const trigger = useTrigger();
let front: TlsFront;

beforeEach(async () => {
	front = await startTlsFront(trigger.service.baseUrl);
});

afterEach(async () => {
	await front.stop();
});

test('is refused by name, without the option', async () => {
	trigger.saveCredential('api key', { baseUrl: front.baseUrl });
	await expect(trigger.workflow().publish()).rejects.toThrow(
		/certificate of the service could not be verified.*Ignore SSL Issues \(Insecure\)/,
	);
	expect(trigger.registrations).toEqual([]);
});

test('works with the option: publishing and the fallback URL', async () => {
	trigger.saveCredential('api key', { baseUrl: front.baseUrl, allowUnauthorizedCerts: true });
	const fallbackUrl = 'https://www.shop.example/events';
	const workflow = trigger.workflow({ parameters: { options: { fallbackUrl } } });
	await workflow.publish();
	expect(await trigger.pay()).toBe(200);
	await workflow.unpublish();
	await waitFor(() => trigger.registrations.length === 2, { what: 'the fallback URL' });
	expect(addresses(trigger)).toEqual([withToken(workflow.productionUrl), fallbackUrl]);
}, 20_000);
