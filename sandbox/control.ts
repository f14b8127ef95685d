import type { FastifyInstance } from 'fastify';
import type { Sandbox } from './sandbox';
import { PaymentRefused, type PaymentDetails } from './payments';
import type { SettingsChange } from './settings';
import { settingsSchema } from './settingsSchema';

/** The beginning of a secret, enough to tell two apart. */
export function masked(secret: string): string {
	return secret === '' ? '(empty)' : `${secret.slice(0, Math.min(4, secret.length / 4))}…`;
}

/**
 * JSON under `/sandbox`, for tests and curious people. It is not part of the service's interface.
 * Whole numbers are texts of digits here, so that any JSON reader gets them exactly.
 */
export async function controlRoutes(
	app: FastifyInstance,
	{ sandbox }: { sandbox: Sandbox },
): Promise<void> {
	const { state } = sandbox;

	app.get('/sandbox/pages', async () => [...state.pages.values()]);

	app.get('/sandbox/registration', async () => {
		const { registration } = state;
		return registration && { ...registration, secret: masked(registration.secret) };
	});

	app.get('/sandbox/deliveries', async () => state.deliveries);

	app.get('/sandbox/requests', async () =>
		state.requests.map((request) => ({ ...request, body: request.body.toString('utf8') })),
	);

	app.post<{ Body: SettingsChange }>(
		'/sandbox/settings',
		{ schema: { body: settingsSchema } },
		async (request) => {
			sandbox.configure(request.body);
			return { ok: true };
		},
	);

	app.post('/sandbox/reset', async () => {
		await sandbox.reset();
		return { ok: true };
	});

	app.post<{ Params: { reference: string }; Body: PaymentDetails | undefined }>(
		'/sandbox/pay/:reference',
		async (request, reply) => {
			try {
				return await sandbox.pay(request.params.reference, request.body);
			} catch (error) {
				if (!(error instanceof PaymentRefused)) throw error;
				return reply.code(422).send({ field: error.field, message: error.message });
			}
		},
	);
}
