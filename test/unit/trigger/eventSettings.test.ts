import type { IWebhookFunctions } from 'n8n-workflow';

import { readEventSettings } from '../../../nodes/PaymentPageTrigger/webhook/eventSettings';

type Node = Parameters<typeof readEventSettings>[0];

const minute = 60_000;

/** A node whose parameters have these values; one that is an error fails when it is read. */
function nodeWith(parameters: Record<string, unknown>) {
	const errors: string[] = [];
	const getNodeParameter = (name: string, fallback?: unknown): unknown => {
		const value = parameters[name];
		if (value instanceof Error) throw value;
		return value ?? fallback;
	};
	const logger = { error: (message: string) => void errors.push(message) };
	return { node: { getNodeParameter, logger } as unknown as Node, errors };
}

const rejectsAll = { verification: undefined, acceptsUnverified: false, ignoresRepeated: false };

test('reads what the user chose', () => {
	const options: ReturnType<IWebhookFunctions['getNodeParameter']> = {
		ignoreRepeatedDeliveries: true,
	};
	const { node } = nodeWith({ unverifiedEvents: 'accept', options });
	expect(readEventSettings(node, { identity: 'a' }, 0)).toEqual({
		verification: { mode: 'automatic' },
		acceptsUnverified: true,
		ignoresRepeated: true,
	});
});

test.each(['options', 'verification', 'unverifiedEvents'])(
	'verifies nothing and accepts nothing when %s cannot be read, and a flood logs one line a minute',
	(name) => {
		const { node, errors } = nodeWith({ [name]: new Error('The expression failed') });
		const identity = `node whose ${name} fails`;
		for (let now = 0; now < 3 * minute; now += 1_000) {
			expect(readEventSettings(node, { identity }, now)).toEqual(rejectsAll);
		}
		expect(errors).toHaveLength(3);
		expect(errors[0]).toMatch(/so all events are rejected$/);
		expect(errors[1]).toContain('(59 more since the last message)');
	},
);
