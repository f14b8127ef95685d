import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { type ForgeOptions, type ForgeryKind, forgeryKinds } from '../forgeries';
import type { PaymentDetails } from '../payments';
import type { Sandbox } from '../sandbox';
import { oneOf, type SettingsChange, settingsChangeSchema } from '../settings';
import { maskedSecret } from './masking';

const closed = { additionalProperties: false };
const text = Type.Optional(Type.String());
const forgeSchema = Type.Object(
	{
		kind: oneOf(forgeryKinds),
		reference: text,
		keepToken: Type.Optional(Type.Boolean()),
		token: text,
	},
	closed,
);
/** Details of a payment; the request may also have no body at all. */
const paymentSchema = Type.Union([
	Type.Object({ amount: Type.Optional(Type.Number()), phoneNumber: text }, closed),
	Type.Null(),
]);

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
		return registration && { ...registration, secret: maskedSecret(registration.secret) };
	});
	app.get('/sandbox/deliveries', async () => state.deliveries);
	app.get('/sandbox/requests', async () =>
		state.requests.map((request) => ({ ...request, body: request.body.toString('utf8') })),
	);
	app.get('/sandbox/faults', async () => sandbox.faults);

	app.post<{ Body: SettingsChange }>(
		'/sandbox/settings',
		{ schema: { body: settingsChangeSchema } },
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
		{ schema: { body: paymentSchema } },
		async (request) => sandbox.pay(request.params.reference, request.body),
	);
	app.post<{ Params: { id: string } }>('/sandbox/deliveries/:id/resend', async (request) =>
		sandbox.resend(request.params.id),
	);
	app.post<{ Body: ForgeOptions & { kind: ForgeryKind } }>(
		'/sandbox/forge',
		{ schema: { body: forgeSchema } },
		async (request) => sandbox.forge(request.body.kind, request.body),
	);
}
